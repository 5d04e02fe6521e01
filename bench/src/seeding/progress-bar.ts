const WIDTH = 30;

export interface Progress {
	advance(what: string, rows: number): void;
	end(): void;
}

/** A bar that redraws itself in a terminal; elsewhere a line for each tenth. */
export function progressBar(total: number): Progress {
	const startedAt = performance.now();
	let done = 0;
	let tenths = 0;

	const perSecond = () => Math.round((done / (performance.now() - startedAt)) * 1000);
	const text = (what: string) => {
		const filled = Math.round((done / total) * WIDTH);
		const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
		const percent = String(Math.floor((done / total) * 100)).padStart(3);
		const left = Math.ceil((total - done) / Math.max(1, perSecond()));
		return `${bar} ${percent} %  ${count(done)} of ${count(total)} rows, ${count(perSecond())}/s, ${left} s left  ${what}`;
	};
	return {
		advance(what, rows) {
			done += rows;
			if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text(what)}`);
			else if (Math.floor((done / total) * 10) > tenths) {
				tenths = Math.floor((done / total) * 10);
				console.log(text(what));
			}
		},
		end() {
			const seconds = (performance.now() - startedAt) / 1000;
			if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
			console.log(`${count(done)} rows in ${seconds.toFixed(1)} s, ${count(perSecond())} rows/s`);
		},
	};
}

const count = (n: number) => n.toLocaleString("en");
