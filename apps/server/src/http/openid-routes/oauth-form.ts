import { badRequest } from "./oauth-errors";

const FORM = "application/x-www-form-urlencoded";

/** RFC 8707, section 2. */
const REPEATABLE = "resource";

/**
 * The form of a request to the protocol, or the response that refuses it.
 *
 * It means the same for all who read it (RFC 6749, section 3.2). Better Auth takes the last value of a name
 * that is there twice, its plugin the one that is not empty, and each has its own idea of what is a form: a
 * check of one value would let another one pass.
 */
export async function readForm(request: Request): Promise<URLSearchParams | Response> {
	const text = await request.text();
	const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
	// OpenID Connect Core, section 5.3.1: a POST to userinfo may have its token in the header, and no body.
	if (type.trim().toLowerCase() !== FORM && text !== "") return refused(`Send a form: ${FORM}`);
	const form = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(text)) {
		if (value === "") continue;
		if (form.has(name) && name !== REPEATABLE) return refused(`${name} is there twice`);
		form.append(name, value);
	}
	return form;
}

/** The same request with another form. */
export function withForm({ url, method, signal, headers: given }: Request, form: URLSearchParams) {
	const headers = new Headers(given);
	headers.delete("content-length");
	headers.set("content-type", FORM);
	return new Request(url, { method, headers, signal, body: form.toString() });
}

const refused = (description: string) => badRequest("invalid_request", description);
