import { fastHandler } from "better-auth-fast";
import type { OpenDatabase } from "../host/database";
import { openDatabase } from "../host/database";
import { type HostOptions, makeHost } from "../host/host";
import type { Contestant } from "../instruments/rounds";
import { type Host, perform, type RequestMaker } from "./operations";

/** A host on a database that exists, until it is closed. */
export interface OpenHost extends Host {
	database: OpenDatabase;
	close(): Promise<void>;
}

export async function openHost(address: string, options: HostOptions): Promise<OpenHost> {
	const database = openDatabase(address);
	const auth = makeHost(database, options);
	await auth.$context;
	return { handler: fastHandler(auth), database, close: database.close };
}

/** Makes a call about the user or tenant with that number, ready to run. */
export type CallMaker = (n: number) => Promise<() => Promise<void>>;

/** Calls an operation for users and tenants all over the database; the same ones in each run. */
export function contestant(makeCall: CallMaker): Contestant {
	let state = 1;
	const next = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state >>> 4;
	};
	return {
		async prepare(calls) {
			const prepared: (() => Promise<void>)[] = [];
			for (let call = 0; call < calls; call += 1) prepared.push(await makeCall(next()));
			return prepared;
		},
	};
}

export const callOf =
	(host: Host, makeRequest: RequestMaker): CallMaker =>
	async (n) => {
		const request = await makeRequest(n);
		return () => perform(host, request);
	};
