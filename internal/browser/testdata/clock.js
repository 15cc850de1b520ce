// A page's time stands still, but for tick(ms).
{
	let now = Date.parse("2026-11-20T12:00:00Z"), next = 1;
	const timers = new Map();
	Date.now = () => now;
	window.setTimeout = (f, ms = 0) => (timers.set(next, [now + ms, f]), next++);
	window.clearTimeout = (id) => timers.delete(id);
	window.tick = async (ms) => {
		for (const end = now + ms; ;) {
			const due = [...timers].filter(([, [at]]) => at <= end).sort((a, b) => a[1][0] - b[1][0])[0];
			if (!due) { now = end; return; }
			timers.delete(due[0]);
			now = Math.max(now, due[1][0]);
			due[1][1]();
			await window.calm();
		}
	};
	// asked are the requests with their times; calm ends when all are answered, and what follows from that is done.
	const real = window.fetch;
	let open = 0;
	window.asked = [];
	window.fetch = async (...request) => {
		window.asked.push([now, String(request[0])]);
		open++;
		try {
			const answer = await real(...request);
			await answer.clone().text().catch(() => 0);
			return answer;
		} finally { open--; }
	};
	window.calm = async () => {
		for (let n = 3; n; n = open ? 3 : n - 1) await real("/calm");
	};
	window.until = async (met) => {
		for (let n = 0; n < 500 && !met(); n++) { await window.tick(0); await window.calm(); }
		return !!met();
	};
	// noticed ends when observers have been told what of an element is in view: those of the page, then this.
	window.noticed = (e) => new Promise((done) => new IntersectionObserver(done).observe(e));
}
