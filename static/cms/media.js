// Pictures in other records' forms: chosen from the library in a dialog, uploaded in place, put into texts.
// Without this module a field is a plain list with a search.

import { setUpChosen } from "../core/chosen.js";

const upload = (files, options) =>
  document.dispatchEvent(new CustomEvent("media:upload", { detail: { files, ...options } }));
const isPicture = (file) => file.type.startsWith("image/");

// --- The library in a dialog; `onChosen` gets {key, label, picture, alt} of each file -----------------------------

// A picture that is uploaded in the dialog: what it shows is asked first, then it can be used.
const offer = (row, { id, name, thumbnail, alt }, blank, use) => {
  const button = blank.cloneNode(true).firstElementChild;
  const description = row.querySelector("[data-alt]");
  button.ariaLabel = `${button.textContent}: ${name}`;
  button.addEventListener("click", () => use({ key: id, label: name, picture: thumbnail, alt: description.value || alt }));
  description.addEventListener("keydown", (event) => event.key === "Enter" && button.focus());
  // It would lead away from the form.
  row.querySelector("[data-open]").remove();
  row.querySelector(".upload-buttons").prepend(button);
  (row.querySelector("[data-description]").hidden ? button : description).focus();
};

const takeUploads = (dialog, use) => {
  const place = dialog.querySelector("#choose-upload");
  place?.addEventListener("change", ({ target }) => {
    if (target.type !== "file") return;
    upload([...target.files], {
      list: place.querySelector("[data-uploads]"),
      status: place.querySelector("[role=status]"),
      kinds: ["image"],
      folder: place.dataset.folder,
      onDone: (media, row) => dialog.open && offer(row, media, place.querySelector("[data-use]").content, use),
    });
    target.value = "";
  });
  // What is still on its way is not wanted any more.
  dialog.addEventListener("close", () => place?.querySelectorAll("[data-cancel]:not([hidden])").forEach((button) => button.click()));
};

const choose = (address, { many, onChosen }) => {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog library-dialog";
  dialog.setAttribute("aria-labelledby", "choose-title");
  document.body.append(dialog);
  const chosen = new Map();
  const fileOf = ({ value, dataset }) => ({ key: value, ...dataset });

  const use = (file) => {
    dialog.close();
    onChosen(file);
  };

  // Not before: a button that is pressed sooner does nothing, for htmx does not know it yet.
  dialog.addEventListener("htmx:afterSettle", () => {
    if (dialog.open) return;
    takeUploads(dialog, use);
    dialog.showModal();
  });
  dialog.addEventListener("htmx:afterSwap", () => {
    // A search shows others; what was ticked before stays ticked.
    for (const box of dialog.querySelectorAll(".library input")) box.checked = chosen.has(box.value);
  });
  dialog.addEventListener("change", ({ target }) => {
    if (!target.matches(".library input")) return;
    if (target.checked) chosen.set(target.value, fileOf(target));
    else chosen.delete(target.value);
  });
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("button.library-item");
    if (button) use(fileOf(button));
  });
  dialog.addEventListener("submit", (event) => {
    if (event.target.id !== "choose-form") return;
    event.preventDefault();
    dialog.close();
    for (const file of chosen.values()) onChosen(file);
  });
  dialog.addEventListener("close", () => dialog.remove());
  const asked = new URL(address, location);
  if (many) asked.searchParams.set("many", "yes");
  htmx
    .ajax("GET", `${asked.pathname}${asked.search}`, { source: dialog, target: dialog, swap: "innerHTML" })
    // The toast says why it did not come.
    .catch(() => dialog.remove());
};

// --- Fields ---------------------------------------------------------------------------------------------------

const setUpField = (field) => {
  const status = field.querySelector("[role=status]");
  const live = field.querySelector("[data-live]");
  const library = field.querySelector("[data-library]");
  const most = Number(field.dataset.most);

  const decorate = (entry, { picture }) => {
    if (picture) {
      entry.querySelector("img").src = picture;
      entry.querySelector(".library-icon").remove();
    } else entry.querySelector("img").remove();
  };
  const { add } = setUpChosen(field, field.querySelector("[data-chosen]"), { decorate, whenEmpty: library });

  library?.addEventListener("click", () => choose(library.dataset.library, { many: most > 1, onChosen: add }));

  const take = (files) =>
    upload(files, {
      list: field.querySelector("[data-uploads]"),
      status,
      kinds: field.dataset.kinds.split(" "),
      folder: field.dataset.folder,
      onDone: ({ id, name, thumbnail }, row) => {
        add({ key: id, label: name, picture: thumbnail });
        // What needs no words any more is shown among the chosen ones.
        if (row.querySelector("[data-description]").hidden) row.remove();
      },
    });
  for (const input of field.querySelectorAll("[data-live] input[type=file]")) {
    input.addEventListener("input", (event) => event.stopPropagation());
    input.addEventListener("change", (event) => {
      event.stopPropagation();
      take([...input.files]);
      input.value = "";
    });
  }
  field.addEventListener("dragover", (event) => live && event.dataTransfer.types.includes("Files") && event.preventDefault());
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length || !field.querySelector("[data-live] input[type=file]")) return;
    event.preventDefault();
    take([...event.dataTransfer.files].slice(0, most));
  });

  if (live) live.hidden = false;
};

const running = new WeakSet();

const startAll = (root) => {
  for (const field of root.querySelectorAll("[data-media]")) {
    if (running.has(field)) continue;
    running.add(field);
    setUpField(field);
  }
};

document.addEventListener("htmx:load", (event) => startAll(event.detail.elt.parentNode ?? document));
startAll(document);

// --- Pictures in texts ----------------------------------------------------------------------------------------

document.addEventListener("richtext:image", ({ target, detail: { library, insert } }) => {
  const onChosen = ({ key, alt, picture }) => insert({ mediaId: key, alt, src: picture });
  const folder = target.closest("[data-pictured]")?.dataset.folder ?? "";
  choose(`${library}?${new URLSearchParams({ kind: "image", folder })}`, { many: false, onChosen });
});

document.addEventListener("richtext:files", (event) => {
  const box = event.target.closest("[data-pictured]");
  const pictures = [...event.detail.files].filter(isPicture);
  if (!box?.querySelector("[data-uploads]") || !pictures.length) return;
  event.preventDefault();
  upload(pictures, {
    list: box.querySelector("[data-uploads]"),
    status: box.querySelector("[data-upload-status]"),
    kinds: ["image"],
    folder: box.dataset.folder,
    onDone: ({ id, alt, thumbnail }, row) => {
      event.detail.insert({ mediaId: id, alt, src: thumbnail });
      if (row.querySelector("[data-description]").hidden) row.remove();
    },
  });
});
