import type { ServerResponse } from "node:http";
import { listen } from "./identity-provider/listen";

export interface Received {
	headers: Record<string, string>;
	body: string;
}

/** A server of a tenant that gets events. `answer` may be replaced. */
export async function startReceiver() {
	const received: Received[] = [];
	const receiver = {
		url: "",
		received,
		answer: (response: ServerResponse): void => void response.writeHead(204).end(),
		/** The types of the events that came. */
		types: () => received.map(({ body }) => String(JSON.parse(body).type)),
		/** What came last. */
		last(): Received {
			const last = received.at(-1);
			if (!last) throw new Error("nothing came");
			return last;
		},
		close: async () => {},
	};
	const { port, close } = await listen((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = Buffer.concat(chunks).toString();
			const headers = { ...request.headers } as Record<string, string>;
			received.push({ headers, body });
			receiver.answer(response);
		});
	});
	return Object.assign(receiver, { url: `http://127.0.0.1:${port}/in`, close });
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
