export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a change when the first run starts and reverts it when the last one ends. Runs may overlap,
 * and a run may continue after its test has timed out.
 */
export function sharedChange(apply: () => () => void): Run {
	let runs = 0;
	let revert = () => {};
	return async (work) => {
		if (runs === 0) revert = apply();
		runs += 1;
		try {
			return await work();
		} finally {
			runs -= 1;
			if (runs === 0) revert();
		}
	};
}
