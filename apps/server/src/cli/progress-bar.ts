const width = 30;

export type ProgressBar = {
	show: (done: number, total: number) => void;
	/** Leaves the line, so that what comes next has one of its own. */
	end: () => void;
};

/** A line on standard error that is written anew; nothing where that is no terminal. */
export function progressBar(what: string, isShown: boolean): ProgressBar {
	if (!isShown || !process.stderr.isTTY) return { show: () => {}, end: () => {} };
	let shown = "";
	return {
		show: (done, total) => {
			const part = total === 0 ? 1 : Math.min(1, done / total);
			const filled = Math.round(part * width);
			const bar = "#".repeat(filled) + ".".repeat(width - filled);
			const line = `${what} [${bar}] ${Math.floor(part * 100)}% ${done}/${total}`;
			if (line !== shown) process.stderr.write(`\r${line}`);
			shown = line;
		},
		end: () => {
			if (shown) process.stderr.write("\n");
		},
	};
}
