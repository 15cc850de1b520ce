// The parts of tests of elements. Each has a page of its own, whose time stands still.
const tests = {}, wrong = [];
const test = (name, run) => (tests[name] = run);

// run runs a test, and returns its failures.
const run = async (name) => {
	addEventListener("unhandledrejection", ({ reason }) => wrong.push(`${reason}`));
	await tests[name]().catch((e) => wrong.push(e.stack));
	return wrong;
};

// same notes a difference; shows, a condition that does not become true without any time of the page's.
const same = (got, want) => {
	const [is, be] = [got, want].map((v) => JSON.stringify(v));
	if (is !== be) wrong.push(`${is}, want ${be}${new Error().stack.split("\n")[2]}`);
};
const shows = async (met) => {
	if (!(await until(met))) throw new Error(`not ${met}: ${[...document.querySelectorAll("*")].map((e) => e.shadowRoot?.textContent).join(" ")}`);
};

const page = (html) => (document.body.innerHTML = html);
const element = (name = "board") => document.querySelector(`laurel-${name}`);
const root = (name) => element(name).shadowRoot;
const all = (what, name) => [...(root(name)?.querySelectorAll(what) ?? [])];
const words = (e) => e.innerText.replace(/\s+/g, " ").trim();
const text = (name) => root(name)?.textContent ?? "";
const said = () => root().querySelector(".standing")?.textContent ?? "";
const drawn = () => all("tbody tr, .place").length > 0;

// look shows an element, or the page's start, and waits until observers have been told: those of the page, then this.
const look = async (e) => {
	if (e) e.scrollIntoView();
	else scrollTo(0, 0);
	await new Promise((done) => new IntersectionObserver(done).observe(document.body));
	await pass(0);
};
const busy = (after, status = 503) => () => Response.json({ status }, { status, headers: { "Retry-After": after } });

const far = `<p style="height:9000px"></p>`;
const board = "/boards/activity/day";
const plain = `<laurel-board windows="day"></laurel-board>`;
const mine = `<laurel-board windows="day" user="u2" token-url="/token"></laurel-board>`;
