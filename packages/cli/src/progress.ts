const WIDTH = 24;
const PAUSE = 100;
const STEPS = 10;

export interface Progress {
	/** Shows that this many are done. */
	show: (done: number) => void;
	/** Removes the bar. */
	end: () => void;
}

/** A bar on a terminal, otherwise a line for each tenth. Both go to stderr. */
export function startProgress(total: number, what: string): Progress {
	return process.stderr.isTTY ? bar(total, what) : lines(total, what);
}

function bar(total: number, what: string): Progress {
	const start = Date.now();
	let last = 0;
	const clear = () => process.stderr.write("\r\u001b[K");
	return {
		show: (done) => {
			if (done < total && Date.now() - last < PAUSE) return;
			last = Date.now();
			const part = total === 0 ? 1 : Math.min(done / total, 1);
			const filled = Math.round(part * WIDTH);
			const seconds = Math.max((last - start) / 1000, 0.001);
			const rate = done / seconds;
			const left = rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : "";
			clear();
			process.stderr.write(
				`[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${done}/${total} ${what}, ${Math.round(rate)}/s${left}`,
			);
		},
		end: () => void clear(),
	};
}

function lines(total: number, what: string): Progress {
	let step = 0;
	return {
		show: (done) => {
			const reached = total === 0 ? STEPS : Math.floor((done / total) * STEPS);
			if (reached <= step) return;
			step = reached;
			process.stderr.write(`${done}/${total} ${what}\n`);
		},
		end: () => {},
	};
}
