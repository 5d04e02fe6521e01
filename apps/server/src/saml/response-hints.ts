import { X509Certificate } from "node:crypto";
import type { IdpMetadata } from "./idp-metadata";
import { MAX_CLOCK_SKEW_MS } from "./times";
import { InvalidXml, readXml, type XmlElement } from "./xml";

const LIMITS = { maxElements: 1000, maxAttributes: 2000, mayHaveComments: true };
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
const MAX_TEXT = 200;

type Expected = { saved: IdpMetadata; audience: string; acsUrl: string };

/**
 * What is unusual in a response that was refused. The response may be from anybody, so this must decide
 * nothing: it only helps the person who started the test.
 */
export function findHints(base64: string, { saved, audience, acsUrl }: Expected): string[] {
	const elements = readElements(Buffer.from(base64, "base64").toString());
	const named = (name: string) => elements.filter((element) => element.name === name);
	const texts = (name: string) => named(name).map(({ text }) => text.trim());
	const differs = (found: string[], expected: string) =>
		found.find((text) => text !== "" && text !== expected)?.slice(0, MAX_TEXT);
	const status = named("StatusCode")[0]?.attributes.get("Value") ?? SUCCESS;
	const issuer = differs(texts("Issuer"), saved.entityId);
	const wrongAudience = differs(texts("Audience"), audience);
	const recipients = named("SubjectConfirmationData").map((it) => it.attributes.get("Recipient"));
	const recipient = differs(
		recipients.filter((it) => it !== undefined),
		acsUrl,
	);
	const all: [isUnusual: unknown, hint: string][] = [
		[status !== SUCCESS, `The identity provider reports ${status.slice(0, MAX_TEXT)}`],
		[elements.length > 0 && !named("Signature").length, "Nothing in the response is signed"],
		[named("EncryptedAssertion").length, "The assertion is encrypted. Switch this off"],
		[issuer, `It is from ${issuer}, and not from ${saved.entityId}`],
		[wrongAudience, `It is for the audience ${wrongAudience}, and not for ${audience}`],
		[recipient, `It is for the URL ${recipient}, and not for ${acsUrl}`],
		[hasOtherCertificate(texts("X509Certificate"), saved), "Its certificate is not a saved one"],
		[isOutOfTime(named("Conditions")), "It is not valid at this time. Compare the clocks"],
	];
	return all.filter(([isUnusual]) => isUnusual).map(([, hint]) => hint);
}

function readElements(xml: string): XmlElement[] {
	try {
		return readXml(xml, LIMITS);
	} catch (error) {
		if (error instanceof InvalidXml) return [];
		throw error;
	}
}

function hasOtherCertificate(found: string[], { certificates }: IdpMetadata): boolean {
	const known = new Set(certificates.map(({ fingerprint }) => fingerprint));
	return found.some((text) => {
		try {
			const { fingerprint256 } = new X509Certificate(Buffer.from(text, "base64"));
			return !known.has(fingerprint256);
		} catch {
			return true;
		}
	});
}

function isOutOfTime(conditions: XmlElement[]): boolean {
	const now = Date.now();
	return conditions.some(({ attributes }) => {
		const [start, end] = ["NotBefore", "NotOnOrAfter"].map((it) =>
			Date.parse(attributes.get(it) ?? ""),
		);
		return (
			now + MAX_CLOCK_SKEW_MS < (start ?? 0) ||
			now - MAX_CLOCK_SKEW_MS >= (end ?? Number.POSITIVE_INFINITY)
		);
	});
}
