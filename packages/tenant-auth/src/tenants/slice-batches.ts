/** Works like `slice` on all items together, and stops early. */
export async function* sliceBatches<T>(
	batches: AsyncIterable<T[]>,
	{ offset, limit }: { offset: number; limit: number },
): AsyncGenerator<T[]> {
	if (limit === 0) return;
	let [skip, left] = [offset, limit];
	for await (const items of batches) {
		const wanted = items.slice(skip, skip + left);
		skip = Math.max(0, skip - items.length);
		left -= wanted.length;
		if (wanted.length > 0) yield wanted;
		if (left === 0) return;
	}
}
