const FORM = "application/x-www-form-urlencoded";

/**
 * Moves the client's secret from the form into the `Authorization` header. The plugin accepts the one way
 * only in which a client is registered, and libraries differ in their default.
 *
 * A request that uses two ways, or names a field twice, stays as it is: the plugin refuses it.
 */
export async function withBasicCredentials(
	request: Request,
): Promise<{ request: Request; isMoved: boolean }> {
	const isForm = request.headers.get("content-type")?.toLowerCase().startsWith(FORM);
	if (request.method !== "POST" || !isForm) return { request, isMoved: false };
	const text = await request.text();
	const form = new URLSearchParams(text);
	const [clientId, ...otherIds] = form.getAll("client_id");
	const [secret, ...otherSecrets] = form.getAll("client_secret");
	const headers = new Headers(request.headers);
	headers.delete("content-length");
	const isMoved =
		clientId !== undefined &&
		Boolean(secret) &&
		otherIds.length + otherSecrets.length === 0 &&
		!headers.has("authorization") &&
		!form.has("client_assertion");
	if (isMoved && secret) {
		// RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
		const pair = [clientId, secret].map(encode).join(":");
		headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
		form.delete("client_secret");
	}
	const { url, method, signal } = request;
	const body = isMoved ? form.toString() : text;
	return { request: new Request(url, { method, headers, signal, body }), isMoved };
}

const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
