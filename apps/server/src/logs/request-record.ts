import { AsyncLocalStorage } from "node:async_hooks";

/** What is known of the request that is under way, wherever it is in the code. */
export type RequestRecord = {
	requestId: string;
	tenantId: string | null;
	/** Whether the request signed somebody in, or tried to. */
	signIn: "ok" | "failed" | null;
	signedUp: boolean;
};

const storage = new AsyncLocalStorage<RequestRecord>();

export const currentRequest = () => storage.getStore();

export const runAsRequest = <T>(record: RequestRecord, work: () => T): T =>
	storage.run(record, work);
