import { type Asserted, TEST_ENDED, type TestRun } from "./test-run";
import type { TestResult } from "./test-sign-in";

/** In bytes of JSON. It has to fit into a column of every database: those of MySQL have 64 KB. */
const MAX_ATTRIBUTES = 40_000;
const MAX_TEXT = 500;

/** What failed, by the code that a sign-in would have ended with. */
const MESSAGES: Record<string, string> = {
	saml_error: "The signature, the times or the status of the response are wrong",
	invalid_saml_response: "The response is for another request, audience or recipient",
	saml_invalid_xml: "The response is too large, or not the XML of a SAML response",
	saml_algorithm_not_allowed:
		"The response is signed with an algorithm that is not allowed, such as SHA-1",
	saml_multiple_assertions: "The response has more than one assertion",
	unsolicited_response: "The response names no request. Sign-ins must start here",
	invalid_state: "The request has expired, or the identity provider was changed meanwhile",
	replay_detected: "The response was used before",
};

/**
 * How a test ended.
 *
 * @param code the error with which the sign-in ended. A test never ends without one.
 */
export function toResult(run: TestRun, code: string, hints: string[]): TestResult {
	const person = run.asserted ? shortened(run.asserted) : null;
	if (code === TEST_ENDED && person && !run.refusal) {
		const message = "The response is valid, and the person could sign in";
		return { ok: true, code: null, message, hints: [], person };
	}
	const known = MESSAGES[code.toLowerCase()] ?? "The sign-in was refused";
	const { code: reason, message } = run.refusal ?? { code, message: known };
	return { ok: false, code: reason, message, hints: person ? [] : hints, person };
}

/** An assertion may have thousands of groups. */
function shortened(asserted: Asserted): Asserted {
	let left = MAX_ATTRIBUTES;
	const fits = (text: string) => {
		left -= Buffer.byteLength(JSON.stringify(text)) + 8;
		return left >= 0;
	};
	const cut = (text: string) => text.slice(0, MAX_TEXT);
	const cutAll = (texts: string[]) => texts.map(cut).filter(fits);
	const attributes: Record<string, string[]> = {};
	const groups = cutAll(asserted.groups);
	for (const [name, values] of Object.entries(asserted.attributes)) {
		if (fits(cut(name))) attributes[cut(name)] = cutAll(values);
	}
	const { nameId, email, name, role } = asserted;
	return { nameId: cut(nameId), email: cut(email), name: cut(name), role, attributes, groups };
}
