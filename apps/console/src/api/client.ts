import { createAuthClient } from "better-auth/client";
import {
	type TenantAuthClientOptions,
	tenantAuthClient,
	tenantDomainsClient,
	tenantImportsClient,
	tenantInvitationsClient,
	tenantOpenIdClient,
	tenantSignInsClient,
	tenantWebhooksClient,
} from "better-auth-tenant/client";

/** A failed call. `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
	override name = "ApiError";
	readonly status: number;
	/** For example `INVALID_EMAIL_OR_PASSWORD`. Empty if the server sent none. */
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
	error instanceof ApiError && codes.includes(error.code);

type ApiClientOptions = Pick<TenantAuthClientOptions, "tenant"> & {
	/** Sent with each request. */
	headers?: Record<string, string>;
};

/**
 * Better Auth's own parser turns every string that looks like a date into a `Date`, in metadata too.
 */
export const parseJson = (text: string) => (text ? JSON.parse(text) : null);

/** Better Auth keeps the `fetch` that it finds when the page loads. Tests replace it later. */
export const fetchNow: typeof fetch = (input, init) => fetch(input, init);

/** For calls before a sign-in. A sign-in page needs no client of other endpoints. */
export const createPublicClient = () =>
	createAuthClient({
		plugins: [tenantAuthClient()],
		disableDefaultFetchPlugins: true,
		fetchOptions: { jsonParser: parseJson, customFetchImpl: fetchNow },
	});

/** The typed client of the service that served this page. */
export function createApiClient({ tenant, headers }: ApiClientOptions = {}) {
	return createAuthClient({
		plugins: [
			tenantAuthClient({ tenant }),
			tenantDomainsClient(),
			tenantInvitationsClient(),
			tenantOpenIdClient(),
			tenantImportsClient(),
			tenantSignInsClient(),
			tenantWebhooksClient(),
		],
		// A page of the console never leaves it.
		disableDefaultFetchPlugins: true,
		fetchOptions: {
			...(headers ? { headers } : {}),
			jsonParser: parseJson,
			customFetchImpl: fetchNow,
		},
	});
}

export type ApiClient = ReturnType<typeof createApiClient>;

/** A type of the server as JSON has it: dates are strings. */
type Json<T> = T extends Date
	? string
	: T extends readonly (infer Item)[]
		? Json<Item>[]
		: T extends object
			? { [Key in keyof T]: Json<T[Key]> }
			: T;

type Failure = { status: number; code?: string | undefined; message?: string | undefined };
type CallResult = { data: unknown; error: Failure | null };

type DataOf<Call extends Promise<CallResult>> = Json<
	Extract<Awaited<Call>, { error: null }>["data"]
>;

const SESSION_ENDED = "Your session has ended. Sign in again, and repeat this.";

/** Whether a call had no valid session. The server says to everybody that they are not allowed. */
const isSessionEnded = ({ status, code }: Pick<Failure, "status" | "code">): boolean =>
	status === 401 && code === "TENANT_MANAGEMENT_NOT_ALLOWED";

export const unreachable = () =>
	new ApiError(0, "", "Could not reach the server. Check your connection and try again.");

export const toApiError = ({ status, code = "", message }: Failure) =>
	new ApiError(
		status,
		code,
		isSessionEnded({ status, code })
			? SESSION_ENDED
			: message || "Something went wrong on the server.",
	);

/**
 * Returns the data of a call of the typed client.
 *
 * @throws {ApiError}
 */
export async function callApi<Call extends Promise<CallResult>>(call: Call): Promise<DataOf<Call>> {
	const { data, error } = await call.catch(() => {
		throw unreachable();
	});
	if (error) throw toApiError(error);
	return data as DataOf<Call>;
}

export type ListOrder = "newest" | "oldest";

/** The order by a text, with a minus from the end. */
export type TextSort<Field extends string> = Field | `-${Field}`;

export type PageParams = {
	limit: number;
	search?: string;
	order?: ListOrder;
	/** Without it, the list is counted. */
	total?: "none";
} & ({ offset: number } | { cursor: string });

export type Page<Item> = {
	items: Item[];
	/** The number of items on all pages, if they were counted. */
	total: number;
	/** The cursor of the next page. */
	nextCursor: string | null;
	/** Whether the list was too long to search all of it. */
	searchLimited: boolean;
};

type OnResponse = { onResponse: (context: { response: Response }) => void };

/**
 * Returns one page of a list. The total and the cursor come from response headers.
 *
 * @throws {ApiError}
 */
export async function callListApi<Item>(
	call: (fetchOptions: OnResponse) => Promise<{ data: Item[] | null; error: Failure | null }>,
): Promise<Page<Json<Item>>> {
	let total = 0;
	let nextCursor: string | null = null;
	let searchLimited = false;
	const onResponse: OnResponse["onResponse"] = ({ response }) => {
		total = Number(response.headers.get("x-total-count"));
		nextCursor = response.headers.get("x-next-cursor");
		searchLimited = response.headers.get("x-search-limited") === "true";
	};
	const items = (await callApi(call({ onResponse }))) as Json<Item>[];
	return { items, total: Math.max(total, items.length), nextCursor, searchLimited };
}
