// A page's time stands still, but for tick(ms).
let calm, pass, tick, until;
{
	let now = Date.parse("2026-11-20T12:00:00Z"), next = 1;
	const timers = new Map();
	Date.now = () => now;
	window.setTimeout = (f, ms = 0) => (timers.set(next, [now + ms, f]), next++);
	window.clearTimeout = (id) => timers.delete(id);
	tick = async (ms) => {
		for (const end = now + ms; ;) {
			const due = [...timers].filter(([, [at]]) => at <= end).sort((a, b) => a[1][0] - b[1][0])[0];
			if (!due) { now = end; return; }
			timers.delete(due[0]);
			now = Math.max(now, due[1][0]);
			due[1][1]();
			await calm();
		}
	};
	// calm ends when all requests are answered, and their effects are done.
	calm = async () => {
		for (let n = 3; n; n = laurel.open ? 3 : n - 1) await fetch("/calm");
	};
	// pass lets time pass, and due timers run.
	pass = async (ms) => { await calm(); await tick(ms); await calm(); };
	// until waits for a condition that becomes true without any time of the page's.
	until = async (met) => {
		for (const begun = performance.now(); performance.now() < begun + 20e3;) {
			try { if (met()) return true; } catch { /* it is not there yet */ }
			await pass(0);
		}
		return false;
	};
}
