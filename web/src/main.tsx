import { render } from "preact";
import { fault } from "./api/problem";
import { loadPage } from "./pages";
import { follow } from "./pages/search/finder";
import { queryOf } from "./pages/search/query";
import { loadMe } from "./state/account";
import { complainOf } from "./state/notice";
import { followLinks, route } from "./state/route";
import { wear } from "./state/theme";
import { speak } from "./text";
import "./style.css";

// Errors that nothing catches are shown, too. The browser logs them.
window.addEventListener("error", (e) => { if (e.error) complainOf(fault(e.error)); });
window.addEventListener("unhandledrejection", (e) => { complainOf(fault(e.reason)); });

wear();
followLinks();
// The search of the address starts here, and what shows it loads meanwhile.
const { page, given } = route.value;
if (page === "search") follow(queryOf(given));
void loadMe();
const [{ App }] = await Promise.all([import("./frame/app"), loadPage(page).catch(() => undefined), speak()]);
const at = document.getElementById("app");
if (at) render(<App />, at);
