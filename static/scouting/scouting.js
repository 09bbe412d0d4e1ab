// The forms of scouting: steppers, questions that follow from answers, and the stand form as steps with its robots.
// All that they need is in data-scout; without this module the form is one long page.

const PHASES = ["auto", "tele", "endgame"];

const setUp = (form) => {
  const data = JSON.parse(form.dataset.scout);
  const said = form.querySelector("#said");
  const byId = (id) => form.querySelector(`#${CSS.escape(id)}`);
  const named = (name) => [...form.elements].filter((field) => field.name === name);

  // --- Answers

  const answerTo = ({ key, kind }) => {
    const fields = named(`q_${key}`);
    const ticked = fields.filter((field) => field.checked).map((field) => field.value);
    if (kind === "yes_no") return ticked.length > 0;
    if (kind === "multi") return ticked;
    if (kind === "choice") return ticked[0] ?? "";
    return kind === "text" ? fields[0]?.value ?? "" : Number(fields[0]?.value) || 0;
  };
  const worth = ({ kind, points, choices }, answer) => {
    if (kind === "yes_no") return answer ? points : 0;
    if (kind === "choice") return choices[answer] ?? 0;
    if (kind === "multi") return answer.reduce((sum, key) => sum + (choices[key] ?? 0), 0);
    return kind === "text" ? 0 : points * answer;
  };

  const isAbsent = () => named("no_show")[0]?.checked ?? false;

  // What is not asked counts as not answered, for the questions after it too.
  const showAnswers = () => {
    const answers = {};
    let score = 0;
    for (const question of data.questions) {
      const isAsked = !isAbsent() && (!question.shown || question.shown.among.includes(answers[question.shown.field]));
      const box = form.querySelector(`[data-question="${CSS.escape(question.key)}"]`);
      if (box) box.hidden = !isAsked;
      if (!isAsked) continue;
      answers[question.key] = answerTo(question);
      if (PHASES.includes(question.phase)) score += worth(question, answers[question.key]);
    }
    const shown = byId("bar-score");
    if (shown) shown.textContent = String(Math.round(score * 100) / 100);
    if (parts.length) showTurns();
  };

  // --- Steppers and clocks

  const tell = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));
  const labelOf = (field) => field.labels[0]?.textContent.trim() ?? "";

  const add = (button) => {
    const field = byId(button.dataset.for);
    const most = Number(field.max);
    const least = Number(field.min);
    field.value = Math.min(most, Math.max(least, (Math.trunc(Number(field.value)) || 0) + Number(button.dataset.add)));
    said.textContent = `${labelOf(field)}: ${field.value}`;
    tell(field);
  };

  const runClock = (button) => {
    const field = byId(button.dataset.clock);
    const since = Number(button.dataset.since);
    if (since) {
      const seconds = (Number(field.value) || 0) + (Date.now() - since) / 1000;
      field.value = Math.min(Number(field.max), Math.round(seconds * 10) / 10);
      delete button.dataset.since;
      said.textContent = `${labelOf(field)}: ${field.value}`;
      tell(field);
    } else button.dataset.since = Date.now();
    button.ariaPressed = String(!since);
  };

  const stopClocks = () => form.querySelectorAll("[data-since]").forEach(runClock);

  // --- Steps, where the form has them

  const parts = [...form.querySelectorAll("[data-step]")];
  const turns = { back: byId("back"), next: byId("next"), send: byId("send") };
  let here = 0;

  // Of a robot that did not come nothing else is asked.
  const showTurns = () => {
    const isEnd = here === parts.length - 1 || (here > 0 && isAbsent());
    turns.back.hidden = here === 0;
    turns.next.hidden = isEnd;
    turns.send.hidden = !isEnd;
    for (const button of form.querySelectorAll("[data-to]")) {
      button.disabled = isAbsent() && !["robot", "auto"].includes(button.dataset.to);
    }
  };

  const go = (place, { focus = true } = {}) => {
    stopClocks();
    here = Math.max(0, Math.min(parts.length - 1, place));
    for (const [index, part] of parts.entries()) part.hidden = index !== here;
    for (const button of form.querySelectorAll("[data-to]")) {
      if (button.dataset.to === parts[here].dataset.step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    showTurns();
    if (!focus) return;
    parts[here].querySelector("h2").focus({ preventScroll: true });
    form.scrollIntoView({ block: "start" });
  };

  // --- Robots, where there is a choice of them

  const match = byId("id_match");
  const team = byId("id_team");
  const seats = [...form.querySelectorAll("[data-seat]")];
  const warning = byId("warning");

  const robotsOf = (number) => {
    const found = data.matches[number];
    return found ? [...found.red, ...found.blue] : [];
  };
  const chosen = () => team.value.trim().toUpperCase().replace(/^FRC/, "");

  const problemWith = (number, robot) => {
    if (!robot) return "";
    if (robotsOf(number).length && !robotsOf(number).includes(robot)) return warning.dataset.missing;
    if (data.own[number]?.includes(robot)) return warning.dataset.own;
    if (data.done[number]?.includes(robot)) return warning.dataset.done;
    const known = Object.keys(data.teams);
    return known.length && !known.includes(robot) ? warning.dataset.unknown : "";
  };

  const showRobot = () => {
    const number = match.value;
    const robot = chosen();
    const planned = data.matches[number];
    for (const [index, seat] of seats.entries()) {
      const robotHere = planned?.[seat.dataset.seat][index % 3] ?? "";
      seat.querySelector("[data-team]").textContent = robotHere;
      seat.querySelector("[data-name]").textContent = data.teams[robotHere] ?? "";
      seat.disabled = !robotHere;
      seat.ariaPressed = String(Boolean(robot) && robotHere === robot);
      seat.classList.toggle("done", Boolean(data.done[number]?.includes(robotHere)));
    }
    byId("seats").hidden = !planned;
    const colour = planned && ["red", "blue"].find((each) => planned[each].includes(robot));
    const shown = byId("bar-robot");
    shown.textContent = robot || shown.dataset.none;
    shown.dataset.colour = robot ? colour ?? "none" : "";
    const said = byId("bar-match");
    said.textContent = number ? `${said.dataset.word} ${number}` : "";
    const problem = problemWith(number, robot);
    if (warning.textContent !== problem) warning.textContent = problem;
    return problem;
  };

  const choose = (seat) => {
    team.value = seat.querySelector("[data-team]").textContent;
    tell(team);
    // A robot about which there is no doubt needs no second look.
    if (!showRobot()) go(1);
  };

  // Without a robot there is nothing to tell: whoever wants to go on is asked for it.
  const turn = (place) => {
    if (place > 0 && !chosen()) {
      go(0);
      warning.textContent = warning.dataset.none;
      if (byId("seats").hidden) team.focus();
    } else go(place);
  };

  const openOther = () => {
    const isPlanned = robotsOf(match.value).length > 0;
    const other = byId("other-team");
    other.open = !isPlanned || (chosen() !== "" && !robotsOf(match.value).includes(chosen()));
  };

  // --- What is pressed and typed

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.add) add(button);
    else if (button.dataset.clock) runClock(button);
    else if (button.dataset.seat) choose(button);
    else if (button.dataset.turn) turn(here + Number(button.dataset.turn));
    else if (button.dataset.to) turn(parts.findIndex((part) => part.dataset.step === button.dataset.to));
    else if (button.type === "submit") stopClocks();
  });
  form.addEventListener("input", (event) => {
    if (event.target === match) {
      // Another match has other robots: the one that was chosen would be the wrong one.
      if (robotsOf(match.value).length && !robotsOf(match.value).includes(chosen())) team.value = "";
      openOther();
    }
    if (team && parts.length) showRobot();
    showAnswers();
  });
  form.addEventListener("change", showAnswers);
  // What is typed replaces the 0 instead of standing before it.
  form.addEventListener("focusin", (event) => event.target.matches(".scout-stepper input") && event.target.select());

  showAnswers();
  if (!parts.length) return;
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input") || turns.next.hidden) return;
    event.preventDefault();
    turn(here + 1);
  });
  showRobot();
  openOther();
  const wrong = parts.findIndex((part) => part.hasAttribute("data-wrong"));
  go(Math.max(0, wrong), { focus: wrong >= 0 });
  // The page could not put the focus into a part that was hidden.
  parts[here].querySelector("[autofocus]")?.focus();
};

const find = (root) => {
  for (const form of root.querySelectorAll("form[data-scout]:not([data-ready])")) {
    form.dataset.ready = "";
    setUp(form);
  }
};

find(document);
document.addEventListener("htmx:load", () => find(document));
