import { ApiError } from "./api-error";

/**
 * GET of one of the service's own endpoints (`/service/…`), outside of Better Auth.
 *
 * @throws ApiError
 */
export async function serviceFetch<Data>(
	path: `/service/${string}`,
	{ headers, signal }: { headers?: HeadersInit; signal?: AbortSignal } = {},
): Promise<Data> {
	const response = await fetch(path, { headers: headers ?? {}, signal: signal ?? null }).catch(
		(error: unknown) => {
			if (signal?.aborted) throw error;
			throw new ApiError(
				0,
				"",
				"The server cannot be reached. Check the connection and try again.",
			);
		},
	);
	const body: unknown = await response.json().catch(() => null);
	if (response.ok) return body as Data;
	const { code = "", message } = (body ?? {}) as { code?: string; message?: string };
	throw new ApiError(response.status, code, message || "Something went wrong on the server.");
}
