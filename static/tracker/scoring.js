// The scoring screen: says what a result usually brings, sends the place of a tap on the field, and keeps an entry
// that could not be sent on the screen until it is sent again, under the same key.

import { assumedMoves, BATTER, BETWEEN_TURNS, countedAs, usualRunsBattedIn } from "./scoring-rules.js";

const FORM = "form[data-play]";
const formOf = (event) => event.target.closest?.(FORM);
const chosen = (form) => form.querySelector("input[name=result]:checked");

// --- What is usual

const situationOf = (form) => JSON.parse(form.querySelector("[data-situation]").dataset.situation);

const usualWords = (select, move, start) => {
  const words = (value) => [...select.options].find((option) => option.value === value)?.textContent ?? "";
  if (move?.out) return words("out");
  return words(String(move ? move.to : start));
};

const showUsual = (form) => {
  const tile = chosen(form);
  const record = form.querySelector("#record");
  const batter = form.querySelector("select[name=player]")?.selectedOptions[0]?.textContent;
  const title = tile?.labels[0].querySelector("span").textContent;
  const idle = record.dataset.record;
  const whose = tile?.value === BETWEEN_TURNS ? "" : batter;
  record.textContent = tile ? [`${idle}: ${title}`, whose].filter(Boolean).join(", ") : idle;
  if (!tile || !form.querySelector("[data-situation]")) return;
  const { bases, outs, runsLeft, homeRuns, rules, words } = situationOf(form);
  const result = countedAs(tile.value, homeRuns, rules);
  const runners = [...form.querySelectorAll("[data-runner]")].map((runner) => [Number(runner.dataset.runner), runner.querySelector("select")]);
  const said = Object.fromEntries(runners.filter(([, { value }]) => value).map(([start, { value }]) => [start, value === "out"]));
  const told = [];
  const moves = [];
  for (const [start, select] of runners) {
    const { [start]: _own, ...others } = said;
    const move = assumedMoves(result, bases, outs, others).find(({ from }) => from === start);
    select.options[0].textContent = [words.usual, usualWords(select, move, start)].filter(Boolean).join(": ");
    if (select.value) moves.push(select.value === "out" ? { from: start, out: true } : { from: start, to: Number(select.value) });
    else if (move) moves.push(move);
    const end = select.value ? select.selectedOptions[0].textContent : usualWords(select, move, start);
    if (start !== BATTER) told.push(`${words.bases[start]} → ${end}`);
  }
  const rbis = form.querySelector("select[name=rbis]");
  const count = usualRunsBattedIn(result, moves, runsLeft ?? Infinity);
  rbis.options[0].textContent = `${words.usual}: ${count}`;
  told.push(`${words.rbi} ${rbis.value || count}`);
  form.querySelector("#usual").textContent = told.join(" · ");
};

// --- What will be stored: the page brings a line for each result; with other choices the server is asked for it

const SPECIAL = ["runner_", "ran_", "rbis", "charged_to", "player"];
const isSpecial = (form) => fieldsOf(form).some((field) => SPECIAL.some((name) => field.name.startsWith(name)) && isSet(field));
// A correction begins with what is stored; of a new turn only the batter is set.
const isSet = (field) => (field.name === "player" ? field.value !== usualValue(field) : Boolean(field.value));

const clearPreview = (form) => {
  const preview = form.querySelector("#preview");
  if (!preview) return;
  preview.querySelector("p")?.remove();
  preview.toggleAttribute("data-special", isSpecial(form));
};

document.addEventListener("htmx:confirm", (event) => {
  if (event.target.id !== "preview") return;
  const form = event.target.closest(FORM);
  clearPreview(form);
  if (!chosen(form) || !isSpecial(form)) event.preventDefault();
});

document.addEventListener("change", (event) => {
  const form = formOf(event);
  if (!form) return;
  showUsual(form);
  // The second tap is on the field or on the button: both are in sight then.
  if (event.target.name !== "result") return;
  // Between turns there is only who moved to be told.
  const isBetween = event.target.value === BETWEEN_TURNS;
  if (isBetween) form.querySelector("#runners").open = true;
  form.querySelector(isBetween ? "#runners" : "#place").scrollIntoView({ block: "nearest" });
});

// --- The place on the field

const showMark = (form) => {
  const mark = form.querySelector(".score-mark");
  const [x, y] = ["hit_x", "hit_y"].map((name) => form.elements[name].value);
  mark.hidden = !x || !y;
  mark.style.setProperty("--x", x);
  mark.style.setProperty("--y", y);
};

document.addEventListener("click", (event) => {
  // Pressed by the keyboard, or sent again, there is no place in it.
  if (!event.target.matches(`${FORM} input[type=image]`) || !event.detail) return;
  const form = formOf(event);
  form.elements.hit_x.value = (event.offsetX / event.target.clientWidth).toFixed(3);
  form.elements.hit_y.value = (event.offsetY / event.target.clientHeight).toFixed(3);
  showMark(form);
});

// --- One thing at a time: every answer brings the whole screen, and must not replace what is still on its way

const PARTS = ["#play", ".score-actions", "#opponent"];
const partOf = (element) => element.closest(PARTS.join());

const setOthersAside = (part, inert) => {
  for (const other of document.querySelectorAll(PARTS.join())) if (other !== part) other.inert = inert;
};
const isWaiting = () => Boolean(document.querySelector("#play #unsent:not([hidden]), #opponent-unsent:not([hidden])"));

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const part = target.id === "preview" ? null : partOf(target);
  if (part) setOthersAside(part, true);
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const part = detail.elt.id === "preview" ? null : partOf(detail.elt);
  if (part?.isConnected && !isWaiting()) setOthersAside(part, false);
});

// --- Not sent

// What waits is what was sent: changed, it would be another entry under the same key.
const keepTurn = (form) => {
  form.querySelector("#unsent").hidden = false;
  for (const part of form.querySelectorAll("#tiles, #told")) part.inert = true;
  const record = form.querySelector("#record");
  record.textContent = record.dataset.again;
  record.focus();
};
const setRunsAside = (inert) => {
  for (const each of document.querySelectorAll("#opponent-less, #opponent-more, #opponent-next, #opponent-earlier")) each.inert = inert;
};
const keepRuns = (form, { requestConfig }) => {
  form.querySelector("#opponent-unsent").hidden = false;
  setRunsAside(true);
  const again = form.querySelector("#opponent-again");
  again.value = requestConfig.parameters.runs;
  again.focus();
};

const keepOnScreen = (event) => {
  const form = event.detail.elt;
  // A line that cannot be shown now is no news; recording says what is wrong.
  if (form.id === "preview") return event.stopImmediatePropagation();
  const keep = form.matches(FORM) ? keepTurn : form.id === "opponent-form" ? keepRuns : null;
  if (!keep || (event.type === "htmx:responseError" && event.detail.xhr.status < 500)) return;
  keep(form, event.detail);
  setOthersAside(partOf(form), true);
  // Of an answer that never came nothing else is to be told; a toast would only cover the situation.
  if (event.type !== "htmx:responseError") event.stopImmediatePropagation();
};
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
  document.addEventListener(failure, keepOnScreen, { capture: true });

// A tap on what is set aside leads to what waits.
document.addEventListener("click", ({ target }) => {
  if (!isWaiting() || !target.closest("#score") || target.closest("#end, #opponent-unsent, a")) return;
  document.querySelector("#opponent-unsent:not([hidden]) #opponent-again, #record").focus();
});

// --- The opponent's runs: taps while an answer is on its way are added up, and sent as one number after it

let wanted = null;

const showRuns = (form, runs) => {
  form.querySelector("#opponent-runs").textContent = runs;
  form.querySelector("#opponent-more").value = runs + 1;
  // Quick taps never take the inning back.
  form.querySelector("#opponent-less").value = Math.max(runs - 1, 0);
};

// On its way up: htmx has read the pressed button by then.
document.addEventListener("submit", ({ target, submitter }) => {
  if (target.id !== "opponent-form" || !submitter?.value || submitter.id === "opponent-again") return;
  wanted = Number(submitter.value);
  showRuns(target, wanted);
});

const sendWanted = ({ detail }) => {
  const runs = wanted;
  wanted = null;
  const form = document.getElementById("opponent-form");
  if (runs === null || !form || detail.requestConfig?.elt.id !== form.id || detail.xhr.status !== 200) return;
  if (Number(form.elements.was.value) === runs) return;
  const more = form.querySelector("#opponent-more");
  more.value = runs;
  more.click();
};
document.addEventListener("htmx:afterSettle", sendWanted);

// What was refused is not shown; what had no answer waits.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.elt;
  const isRefused = detail.xhr.status >= 400 && detail.xhr.status < 500;
  if (form.id !== "opponent-form" || !form.isConnected || !isRefused) return;
  const was = Number(form.elements.was.value);
  wanted = null;
  showRuns(form, was);
  form.querySelector("#opponent-unsent").hidden = true;
  setRunsAside(false);
  if (!was) form.querySelector("#opponent-less").value = "";
});

// The button for the next inning is where the one for this was: a second tap of the same finger is none for it. Whoever has
// recorded a play since then means it.

const SECOND_TAP = 700;
let begun = -Infinity;

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const sent = detail.requestConfig?.elt.id;
  if (sent === "opponent-next") begun = performance.now();
  if (sent === "play") begun = -Infinity;
});
document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest("#opponent-begin") && performance.now() - begun < SECOND_TAP) event.preventDefault();
  },
  { capture: true },
);

// --- Chosen, but not sent: kept for its turn, whatever else is done before it (the opponent scores, an earlier turn is
// taken back, somebody comes in), until that turn is answered

const KEPT = `scoring ${location.pathname}`;
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
const keep = (seen, fields) => {
  const { [seen]: _old, ...others } = kept();
  sessionStorage.setItem(KEPT, JSON.stringify(fields ? { ...others, [seen]: fields } : others));
};

const usualValue = (field) =>
  field.options ? ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value : field.defaultValue;
const isChosen = (field) =>
  field.matches("[type=radio], [type=checkbox]") ? field.checked && !field.defaultChecked : field.value !== usualValue(field);
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.matches("input:not([type=hidden], [type=image]), select"));

document.addEventListener("input", (event) => {
  const form = formOf(event);
  if (!form?.elements.seen) return;
  const chosenFields = fieldsOf(form).filter(isChosen).map((field) => [field.name, field.value]);
  keep(form.elements.seen.value, Object.fromEntries(chosenFields));
});

const choose = (field, value) => {
  if (field.matches("[type=radio], [type=checkbox]")) field.checked = field.value === value;
  else if (!field.options || [...field.options].some((option) => option.value === value)) field.value = value;
};
const chooseAgain = (form) => {
  const fields = form.elements.seen && !chosen(form) && kept()[form.elements.seen.value];
  if (!fields) return;
  for (const field of fieldsOf(form)) if (field.name in fields) choose(field, fields[field.name]);
  // The page knows again that something is not sent, and asks what will be stored.
  for (const type of ["input", "change"]) form.dispatchEvent(new Event(type, { bubbles: true }));
};

// Before the answer takes the place of the form: the next one must not find what was chosen for this.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const form = detail.requestConfig.elt;
  if (form.matches(FORM) && form.elements.seen && detail.xhr.status < 500) keep(form.elements.seen.value, null);
});

// --- When a page or a part of it arrives

const setUp = () => {
  for (const form of document.querySelectorAll(FORM)) {
    chooseAgain(form);
    showUsual(form);
    showMark(form);
  }
};

// After a turn every result is where it was before it; a button that may be pressed again stays under the finger, also when
// the line about the chosen result arrives above it.
let before;
const topOf = (id) => document.getElementById(id)?.getBoundingClientRect().top;
const heldInPlace = (form) => {
  if (form.matches("#opponent form")) return form.id;
  return form.id === "preview" && document.activeElement.closest("#opponent")?.id;
};

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const held = detail.requestConfig && heldInPlace(detail.requestConfig.elt);
  if (held) before = topOf(held);
});
const keepInPlace = ({ detail }) => {
  if (!document.getElementById("score") || detail.requestConfig?.verb !== "post") return;
  const form = detail.requestConfig.elt;
  const held = heldInPlace(form);
  if (held) return scrollBy({ top: (topOf(held) ?? before) - before, behavior: "instant" });
  if (form.id === "preview") return;
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector("#play .errorlist")?.scrollIntoView({ block: "nearest" });
};
document.addEventListener("htmx:afterSettle", setUp);
document.addEventListener("htmx:afterSettle", keepInPlace);
setUp();
