import { AsyncLocalStorage } from "node:async_hooks";
import { languageOfRequest } from "../language";
import type { Language } from "../languages";
import { StoreTime } from "./store-time";

/** What the service knows about the running request. */
export type RequestRecord = {
	requestId: string;
	tenantId: string | null;
	/** The outcome of a sign-in; `null` if the request was not one. */
	signIn: "ok" | "failed" | null;
	signedUp: boolean;
	/** The users that it has created. */
	newUserIds: Set<string>;
	/** The user for whom it has created a session. */
	newSessionOf: string | null;
	/** The tenants of the sessions whose cookie it sets, by token; `""` is the platform. */
	newSessions: Map<string, string>;
	/** Whether somebody who manages users asks for the email with which a user chooses a new password. */
	isManagedReset: boolean;
	/** The last error that Better Auth logged while a provider sent somebody back. */
	callbackError: unknown;
	/** The error that the provider sent then, in place of tokens. */
	providerError: ProviderError | null;
	/** Whether a provider has sent the browser. */
	isCallback: boolean;
	/** Whether a store did not respond. */
	hasOutage: boolean;
	/** Whether PostgreSQL refused a text that it cannot store. */
	hasInvalidText: boolean;
	storeTime: StoreTime;
	/** Whether it only reads sessions or creates one, which the database can do without Redis. */
	worksWithoutRedis: boolean;
	/** The run of Redis in which it has read first; `null` if it has not read. */
	redisRun: string | null;
	/** Counters of this attempt, which are taken back if it succeeds. */
	countedAttempts: string[];
	/** What the client wants to read. */
	language: Language;
	/** Aborts if the client closes the connection. A response cannot reach it, and a body may be cut off. */
	signal: AbortSignal;
};

export type ProviderError = { status: number; error?: string | undefined };

export const newRecord = (
	requestId: string,
	request: Request,
	storeTimeMs?: number,
): RequestRecord => ({
	requestId,
	tenantId: null,
	signIn: null,
	signedUp: false,
	newUserIds: new Set(),
	newSessionOf: null,
	newSessions: new Map(),
	isManagedReset: false,
	callbackError: null,
	providerError: null,
	isCallback: callbackUrl.test(request.url),
	hasOutage: false,
	hasInvalidText: false,
	storeTime: new StoreTime(request, storeTimeMs),
	worksWithoutRedis: ["GET", "HEAD"].includes(request.method) || signsIn.test(request.url),
	redisRun: null,
	countedAttempts: [],
	language: languageOfRequest(request.headers),
	signal: request.signal,
});

const callbackUrl = /^https?:\/\/[^/]+\/api\/auth(\/tenant)?\/(oauth2\/)?(callback|hand-over)\b/;
const signsIn = /^https?:\/\/[^/]+\/api\/auth(\/tenant)?\/sign-(in|up)\/email$/;

const storage = new AsyncLocalStorage<RequestRecord>();

export const currentRequest = () => storage.getStore();

/** A store does not respond to the running request. */
export function noteOutage(): void {
	const request = currentRequest();
	if (request) request.hasOutage = true;
}

/** PostgreSQL stores no NUL, and looks for none. Only a client can have sent it. */
export function noteInvalidText(): void {
	const request = currentRequest();
	if (request) request.hasInvalidText = true;
}

/** The language of emails. Code without a request has no reader that we know. */
export const currentLanguage = (): Language => currentRequest()?.language ?? "en";

export const runWithRecord = <T>(record: RequestRecord, work: () => T): T =>
	storage.run(record, work);

/** The request of a browser that comes back from a provider. */
export const findCallback = () => {
	const request = currentRequest();
	return request?.isCallback ? request : null;
};
