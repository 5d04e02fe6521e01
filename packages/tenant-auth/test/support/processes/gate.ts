/** Whoever awaits `opened` waits until it is. */
export function makeGate() {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open, opened };
}
