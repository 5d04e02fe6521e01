/** Does something for each number below `count`, no more than `limit` at once. */
export async function inParallel(
	limit: number,
	count: number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) {
			next += 1;
			await work(next - 1);
		}
	};
	await Promise.all(Array.from({ length: limit }, worker));
}
