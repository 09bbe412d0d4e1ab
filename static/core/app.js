// Every module of the pages with a shell, in the order in which they run: one tag a page instead of one each.

import "./htmx-config.js";
import "./session.js";
import "./shell.js";
import "./menu.js";
import "./swaps.js";
import "./tables.js";
import "./live.js";
import "./toasts.js";
import "./selection.js";
import "./shortcuts.js";
import "../desk/palette.js";
import "./leaving.js";
import "./richtext.js";
import "./picker.js";
import "./rows.js";
import "../cms/uploads.js";
import "../cms/media.js";
import "./copy.js";
import "../scouting/scouting.js";
import "../tracker/scoring.js";
import "../tracker/lineup.js";
