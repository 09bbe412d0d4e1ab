// Uploads: each file goes straight to S3 under a ticket, two at a time, with a row that shows how far it is.
// A row is a copy of <template data-upload-row>, which also holds the addresses and the words.

const AT_ONCE = 2;
const LARGEST = 25 * 1024 * 1024;
const REFUSED = new Set([400, 403, 404, 413, 422]);

class Failed extends Error {
  constructor(message, { isFinal = false } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

const waiting = [];
let running = 0;

const next = () => {
  while (running < AT_ONCE && waiting.length) {
    running += 1;
    waiting.shift()().finally(() => {
      running -= 1;
      next();
    });
  }
};

const inTurn = (work) => {
  waiting.push(work);
  next();
};

const token = () => JSON.parse(document.body.getAttribute("hx-headers"))["x-csrftoken"];

const post = async (address, fields, words, signal) => {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  let response;
  try {
    response = await fetch(address, { method: "POST", body, signal, headers: { "X-CSRFToken": token(), "HX-Request": "true" } });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Failed(words.failed);
  }
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (response.ok) return isJson ? response.json() : response.text();
  if (response.status === 401) throw new Failed(words.signedOut);
  if (isJson) throw new Failed((await response.json()).error, { isFinal: REFUSED.has(response.status) });
  throw new Failed(response.status === 403 ? words.forbidden : words.failed);
};

// Only XMLHttpRequest tells how much was sent.
const send = (file, { url, fields }, words, signal, onProgress) =>
  new Promise((resolve, reject) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("file", file);
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.upload.addEventListener("progress", (event) => onProgress((100 * event.loaded) / event.total));
    request.addEventListener("load", () => (request.status < 300 ? resolve() : reject(new Failed(words.failed))));
    request.addEventListener("error", () => reject(new Failed(words.failed)));
    request.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    request.open("POST", url);
    request.send(body);
  });

const rowFrom = (template, file) => {
  const row = template.content.cloneNode(true).querySelector("li");
  const part = (name) => row.querySelector(name);
  const [progress, state, problem] = ["progress", "[data-state]", "[data-problem]"].map(part);
  const buttons = { cancel: part("[data-cancel]"), again: part("[data-again]"), dismiss: part("[data-dismiss-row]"), open: part("[data-open]") };
  part("[data-name]").textContent = file.name;
  progress.ariaLabel = file.name;
  for (const button of Object.values(buttons)) button.ariaLabel = `${button.textContent}: ${file.name}`;
  const show = (words, { isBusy = true, error = "", canRepeat = false } = {}) => {
    state.textContent = words;
    progress.hidden = !isBusy;
    problem.hidden = !error;
    problem.textContent = error;
    buttons.cancel.hidden = !isBusy;
    buttons.again.hidden = !canRepeat;
    buttons.dismiss.hidden = isBusy || !error;
  };
  const setProgress = (percent) => {
    if (percent === undefined) progress.removeAttribute("value");
    else progress.value = percent;
  };
  return { row, part, buttons, show, setProgress };
};

// Asks what the picture shows as soon as it is there; what is typed is saved when the field is left.
const askForDescription = ({ part }, media, words) => {
  const field = part("[data-description]");
  const input = part("[data-alt]");
  const told = part("[data-alt-state]");
  field.hidden = false;
  const save = async () => {
    try {
      told.textContent = await post(words.describe, [[`alt-${media.id}`, input.value]], words);
      media.alt = input.value;
    } catch (error) {
      told.textContent = error.message;
    }
  };
  // It is no part of the form around it.
  for (const name of ["input", "change"]) input.addEventListener(name, (event) => event.stopPropagation());
  input.addEventListener("change", save);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    input.blur();
  });
};

const begin = (file, { list, status, folder, kinds, replaces = "", onDone }) => {
  const template = document.querySelector("template[data-upload-row]");
  const words = template.dataset;
  const shown = rowFrom(template, file);
  const say = (sentence) => (status.textContent = `${file.name}: ${sentence}`);
  let canceller, ticket;

  const done = (media) => {
    shown.show(media.duplicate ? words.duplicate : words.done, { isBusy: false });
    say(media.duplicate ? words.duplicate : words.done);
    shown.buttons.open.hidden = false;
    shown.buttons.open.href = `${words.records}${media.id}/`;
    if (media.thumbnail) {
      const picture = shown.part("img");
      picture.src = media.thumbnail;
      picture.hidden = false;
      shown.part(".icon").remove();
      if (!media.alt) askForDescription(shown, media, words);
    }
    onDone?.(media, shown.row);
  };

  const failed = (error) => {
    const isCancelled = error.name === "AbortError";
    const told = isCancelled ? words.cancelled : error.message;
    shown.show("", { isBusy: false, error: told, canRepeat: !error.isFinal });
    say(told);
  };

  const run = async () => {
    const { signal } = canceller;
    try {
      signal.throwIfAborted();
      if (file.size > LARGEST) throw new Failed(words.tooLarge, { isFinal: true });
      if (!ticket) {
        shown.show(words.sending);
        const about = [["name", file.name], ["size", file.size], ["type", file.type], ["folder", folder], ["replaces", replaces]];
        const upload = await post(words.begin, [...about, ...kinds.map((kind) => ["kinds", kind])], words, signal);
        await send(file, upload, words, signal, shown.setProgress);
        // From here on a repetition only asks once more what became of it.
        ticket = upload.ticket;
      }
      shown.show(words.working);
      shown.setProgress();
      done(await post(words.finish, [["ticket", ticket], ["name", file.name]], words, signal));
    } catch (error) {
      failed(error);
    }
  };

  const start = () => {
    canceller = new AbortController();
    shown.setProgress(0);
    shown.show(words.waiting);
    inTurn(run);
  };

  shown.buttons.cancel.addEventListener("click", () => {
    canceller.abort();
    // One that still waits for its turn says so at once.
    failed(new DOMException("", "AbortError"));
    shown.buttons.again.focus();
  });
  shown.buttons.again.addEventListener("click", start);
  shown.buttons.dismiss.addEventListener("click", () => {
    const neighbour = shown.row.nextElementSibling ?? shown.row.previousElementSibling;
    shown.row.remove();
    neighbour?.querySelector("button:not([hidden]), a:not([hidden])")?.focus();
  });
  list.append(shown.row);
  start();
};

const upload = (files, options) => {
  for (const file of files) begin(file, options);
};

// Other modules ask for uploads by this event, because each module is loaded once, under a name with its hash.
document.addEventListener("media:upload", ({ detail: { files, ...options } }) => upload(files, options));

// --- The upload page: files are taken wherever on it they are dropped ------------------------------------------

const setUpPage = (form) => {
  const { kinds, folder, replaces, back } = form.dataset;
  const options = {
    list: document.querySelector("#uploads"),
    status: document.querySelector("#upload-status"),
    kinds: kinds.split(" "),
    folder,
    replaces,
    onDone: () => back && location.assign(back),
  };
  const take = (files) => upload(replaces ? [...files].slice(0, 1) : files, options);
  form.addEventListener("change", (event) => {
    take([...event.target.files]);
    event.target.value = "";
  });
  const mark = (isOver) => form.toggleAttribute("data-over", isOver);
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    mark(false);
    take([...event.dataTransfer.files]);
  });
};

document.querySelectorAll("form[data-upload]").forEach(setUpPage);
