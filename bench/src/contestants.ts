import type { OpenDatabase } from "./database";
import { openDatabase } from "./database";
import { type HostOptions, makeHost } from "./host";
import { type Host, perform, type RequestMaker } from "./operations";
import type { Contestant } from "./rounds";

/** A host on a database that exists, until it is closed. */
export interface OpenHost extends Host {
	database: OpenDatabase;
	close(): Promise<void>;
}

export async function openHost(address: string, options: HostOptions): Promise<OpenHost> {
	const database = openDatabase(address);
	const auth = makeHost(database, options);
	await auth.$context;
	return { handler: auth.handler, database, close: database.close };
}

/** Calls one operation for users and tenants here and there; the same ones in each run. */
export function caller(host: Host, makeRequest: RequestMaker): Contestant {
	let state = 1;
	const next = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state >>> 4;
	};
	return {
		async prepare(calls) {
			const requests: Request[] = [];
			for (let call = 0; call < calls; call += 1) requests.push(await makeRequest(next()));
			return requests.map((request) => () => perform(host, request));
		},
	};
}
