import { type Auth, basePath, clientIpHeader } from "../auth";

/**
 * The headers that identify a caller, and tell whether a page of the service has sent the request. A tenant
 * is not among them: managers belong to the platform.
 */
const identifyingHeaders = [
	...["authorization", "cookie", clientIpHeader],
	...["origin", "sec-fetch-site", "referer"],
];

export type OperatorCall = (path: string, given: Headers, body?: object) => Promise<Response>;

/** Calls an endpoint on behalf of a caller. */
export function operatorCall(auth: Pick<Auth, "handler">, baseUrl: string): OperatorCall {
	return (path, given, body) => {
		const headers = new Headers(body ? { "content-type": "application/json" } : {});
		for (const name of identifyingHeaders) {
			const value = given.get(name);
			if (value !== null) headers.set(name, value);
		}
		const more = body ? { method: "POST", body: JSON.stringify(body) } : {};
		return auth.handler(new Request(`${baseUrl}${basePath}${path}`, { headers, ...more }));
	};
}
