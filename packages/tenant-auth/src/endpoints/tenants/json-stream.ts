/** An array as JSON that is never in memory as a whole. */
export function streamJson(batches: AsyncGenerator<unknown[]>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isFirst = true;
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await batches.next();
			if (done) {
				controller.enqueue(encoder.encode(isFirst ? "[]" : "]"));
				controller.close();
				return;
			}
			const items = value.map((item) => JSON.stringify(item)).join(",");
			controller.enqueue(encoder.encode((isFirst ? "[" : ",") + items));
			isFirst = false;
		},
		async cancel() {
			await batches.return(undefined);
		},
	});
}
