// The few rules of a game that also run in the browser: how runners usually move, outs, the inning, the next batter.
// tracker/rules/runners.py and replay.py say the same; tests/tracker/rules/vectors.json holds both to it.

export const BATTER = 0;
export const HOME = 4;
const [FIRST, SECOND, THIRD] = [1, 2, 3];
const OUTS_OF_AN_INNING = 3;
const ADVANCE = { "1B": 1, "2B": 2, "3B": 3, HR: 4, E: 1 };
const FREE_PASSES = ["BB", "IBB", "HBP", "CI"];
const SACRIFICES = ["SF", "SH"];
export const BETWEEN_TURNS = "RUN";
const HALF_INNING_ENDED = "END";
const EMPTY_PLACE = "EP";
const NOT_TURNS = [BETWEEN_TURNS, HALF_INNING_ENDED, EMPTY_PLACE];
const WITHOUT_RBI = ["E", "DP", "K", ...NOT_TURNS];

const outAt = (from) => ({ from, out: true });
const forced = (bases) => {
  const free = [FIRST, SECOND, THIRD].findIndex((base) => !bases.includes(base));
  return [FIRST, SECOND, THIRD].slice(0, free < 0 ? THIRD : free);
};

const allAdvance = (bases, by, batter) => [...bases.map((from) => ({ from, to: Math.min(from + by, HOME) })), batter];

const fieldersChoice = (bases) => {
  if (!bases.length) return [{ from: BATTER, to: FIRST }];
  const pushed = forced(bases);
  const out = pushed.at(-1) ?? Math.max(...bases);
  const others = pushed.filter((from) => from !== out).map((from) => ({ from, to: from + 1 }));
  return [outAt(out), ...others, { from: BATTER, to: FIRST }];
};

const doublePlay = (bases, outs) => {
  if (!bases.length) return [outAt(BATTER)];
  if (!bases.includes(FIRST)) return [outAt(Math.max(...bases)), outAt(BATTER)];
  // When it ends the inning, no run counts.
  const pushed = outs + 2 < OUTS_OF_AN_INNING ? forced(bases).slice(1) : [];
  return [outAt(FIRST), ...pushed.map((from) => ({ from, to: from + 1 })), outAt(BATTER)];
};

// What a play means of which no moves are stored; `bases` are those that are taken.
export const usualMoves = (result, bases, outs) => {
  if (NOT_TURNS.includes(result)) return [];
  if (result in ADVANCE) return allAdvance(bases, ADVANCE[result], { from: BATTER, to: ADVANCE[result] });
  if (FREE_PASSES.includes(result)) return allAdvance(forced(bases), 1, { from: BATTER, to: FIRST });
  if (result === "FC") return fieldersChoice(bases);
  if (result === "DP") return doublePlay(bases, outs);
  if (SACRIFICES.includes(result) && outs === OUTS_OF_AN_INNING - 1) return [outAt(BATTER)];
  if (result === "SF") return [...bases.filter((from) => from === THIRD).map((from) => ({ from, to: HOME })), outAt(BATTER)];
  if (result === "SH") return allAdvance(bases, 1, outAt(BATTER));
  return [outAt(BATTER)];
};

// Those entered as out; then, up to so many, the likeliest of those without an entry.
const whoIsOut = (likely, entered, count) => {
  const named = Object.keys(entered).map(Number).filter((start) => entered[start]);
  const others = likely.filter((start) => !(start in entered));
  return [...named, ...others.slice(0, Math.max(count - named.length, 0))];
};

const firstThenForemost = (bases) => [...bases].sort((one, other) => (other === FIRST) - (one === FIRST) || other - one);

// The force at second base is the surest out; with the bases full, one at home saves a run.
const likelyInChoice = (bases, outs) => {
  const runners = firstThenForemost(bases);
  const savesARun = bases.length === THIRD && outs < OUTS_OF_AN_INNING - 1;
  return savesARun ? runners.sort((one, other) => (other === THIRD) - (one === THIRD)) : runners;
};

const likelyInDoublePlay = (bases, entered) => {
  const [first, ...others] = firstThenForemost(bases);
  return bases.some((base) => entered[base]) ? [BATTER, first, ...others] : [first, BATTER, ...others];
};

// These are out, and who is forced moves on. With the third out only who makes room for the batter does.
const around = (out, bases, outs) => {
  const left = bases.filter((base) => !out.includes(base));
  const isBatterOut = out.includes(BATTER);
  const atTheEnd = isBatterOut ? [] : forced(left);
  const pushed = outs + out.length < OUTS_OF_AN_INNING ? forced(bases).filter((base) => left.includes(base)) : atTheEnd;
  return [
    ...out.filter((start) => start !== BATTER).map(outAt),
    ...pushed.map((from) => ({ from, to: from + 1 })),
    isBatterOut ? outAt(BATTER) : { from: BATTER, to: FIRST },
  ];
};

// The moves that the form assumes. `entered` says of each runner with an entry whether it is an out; a runner entered
// as out replaces the one who usually is.
export const assumedMoves = (result, bases, outs, entered) => {
  if (bases.length && result === "FC") return around(whoIsOut(likelyInChoice(bases, outs), entered, 1), bases, outs);
  if (bases.length && result === "DP") return around(whoIsOut(likelyInDoublePlay(bases, entered), entered, 2), bases, outs);
  return usualMoves(result, bases, outs);
};

// A home run above the limit of the league is something else.
export const countedAs = (result, homeRuns, rules) =>
  result === "HR" && rules.homeRunLimit != null && homeRuns >= rules.homeRunLimit ? (rules.homeRunAboveLimit ?? "OUT") : result;

// The batter's own run is batted in by a home run only. `runsLeft` is how many the inning has room for.
export const usualRunsBattedIn = (result, moves, runsLeft) =>
  WITHOUT_RBI.includes(result)
    ? 0
    : Math.min(
        moves.filter((move) => !move.out && move.to === HOME && (move.from !== BATTER || result === "HR")).length,
        runsLeft,
      );

export const start = () => ({ inning: 1, outs: 0, bases: [], slot: 1, runs: 0, inningRuns: 0, homeRuns: 0 });

// The state of a game after one more play: {slot, result, moves when they were not the usual ones}.
export const after = (state, play, rules, slots) => {
  const result = countedAs(play.result, state.homeRuns, rules);
  const moves = play.moves ?? usualMoves(result, state.bases, state.outs);
  const moved = moves.map((move) => move.from);
  const stand = moves.filter((move) => !move.out && move.to !== HOME).map((move) => move.to);
  const home = moves.filter((move) => !move.out && move.to === HOME).length;
  const scored = Math.min(home, (rules.runLimit ?? Infinity) - state.inningRuns);
  const next = {
    inning: state.inning,
    outs: state.outs + moves.filter((move) => move.out).length + (play.result === EMPTY_PLACE ? 1 : 0),
    bases: [...new Set([...state.bases.filter((base) => !moved.includes(base)), ...stand])].sort(),
    slot: NOT_TURNS.includes(play.result) && play.result !== EMPTY_PLACE ? state.slot : (play.slot % slots) + 1,
    runs: state.runs + scored,
    inningRuns: state.inningRuns + scored,
    homeRuns: state.homeRuns + (play.result === "HR" ? 1 : 0),
  };
  const isFull = rules.runLimit != null && next.inningRuns >= rules.runLimit;
  if (next.outs < OUTS_OF_AN_INNING && !isFull && play.result !== HALF_INNING_ENDED) return next;
  const inning = state.inning + 1;
  const isPlaced = rules.tieBreakerFrom != null && inning >= rules.tieBreakerFrom;
  return { ...next, inning, inningRuns: 0, outs: 0, bases: isPlaced ? [SECOND] : [] };
};
