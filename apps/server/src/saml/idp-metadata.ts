import { X509Certificate } from "node:crypto";
import { APIError } from "better-auth/api";
import { InvalidXml, readXml, type XmlElement } from "./xml";

/** In bytes. Metadata of ADFS is large, because it describes other protocols too. */
export const MAX_METADATA_BYTES = 512 * 1024;
const LIMITS = {
	maxElements: MAX_METADATA_BYTES,
	maxAttributes: MAX_METADATA_BYTES,
	mayHaveComments: true,
};
const MAX_CERTIFICATES = 10;
const MAX_URL_LENGTH = 2048;

export type IdpMetadata = {
	entityId: string;
	/** Where users are sent. */
	signInUrl: string;
	certificates: { fingerprint: string; validFrom: Date; expiresAt: Date; base64: string }[];
};

const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/**
 * Reads the metadata of an identity provider.
 *
 * @param allowHttp whether users may be sent to an http URL
 * @throws APIError `INVALID_SAML_METADATA` with a message that says what is wrong
 */
export function readIdpMetadata(xml: string, allowHttp: boolean): IdpMetadata {
	if (Buffer.byteLength(xml) > MAX_METADATA_BYTES) throw invalid("It is larger than 512 KB");
	const elements = readElements(xml);
	const [descriptor, another] = elements.filter(({ name }) => name === "IDPSSODescriptor");
	if (!descriptor) throw invalid("It is not the metadata of a SAML identity provider");
	if (another) throw invalid("It has more than one identity provider");
	if (/^\s*(true|1)\s*$/.test(descriptor.attributes.get("WantAuthnRequestsSigned") ?? "")) {
		throw invalid("It requires signed requests. Switch this off at the identity provider");
	}
	const signInUrl = findSignInUrl(elements, descriptor);
	if (!signInUrl) throw invalid("It has no SingleSignOnService with the HTTP-Redirect binding");
	if (!isAllowedUrl(signInUrl, allowHttp)) {
		throw invalid("Its SingleSignOnService is not an https URL");
	}
	if (!canCarryRequest(signInUrl)) {
		throw invalid("Its SingleSignOnService has a fragment, or parameters that SAML adds");
	}
	const certificates = readCertificates(elements, descriptor);
	return { entityId: readEntityId(descriptor), signInUrl, certificates };
}

/** Only what is used, so that it fits into every database, and no other part is parsed at a sign-in. */
export function writeIdpMetadata({ entityId, signInUrl, certificates }: IdpMetadata): string {
	const keys = certificates.map(
		({ base64 }) =>
			`<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
	);
	return [
		`<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityId)}">`,
		`<IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">`,
		...keys,
		`<SingleSignOnService Binding="${REDIRECT}" Location="${escaped(signInUrl)}"/>`,
		"</IDPSSODescriptor></EntityDescriptor>",
	].join("");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (it) => ESCAPES[it] ?? "");

function readElements(xml: string): XmlElement[] {
	try {
		return readXml(xml, LIMITS);
	} catch (error) {
		if (error instanceof InvalidXml) throw invalid(`It is not valid XML. ${error.message}`);
		throw error;
	}
}

function readEntityId({ parent }: XmlElement): string {
	const entityId = parent?.attributes.get("entityID")?.trim();
	if (parent?.name !== "EntityDescriptor" || !entityId) throw invalid("It has no entityID");
	// Not every character that XML can escape can be written again, or stored.
	if (entityId.length <= MAX_URL_LENGTH && /^\P{C}+$/u.test(entityId)) return entityId;
	throw invalid("Its entityID is too long, or has control characters");
}

const findSignInUrl = (elements: XmlElement[], descriptor: XmlElement): string | undefined =>
	elements
		.find(
			({ name, parent, attributes }) =>
				name === "SingleSignOnService" &&
				parent === descriptor &&
				attributes.get("Binding") === REDIRECT,
		)
		?.attributes.get("Location")
		?.trim();

/** Only what a header may contain: browsers are sent there. */
const ASCII = /^[!-~]+$/;

function isAllowedUrl(text: string, allowHttp: boolean): boolean {
	if (text.length > MAX_URL_LENGTH || !ASCII.test(text) || !URL.canParse(text)) return false;
	const { protocol } = new URL(text);
	return protocol === "https:" || (allowHttp && protocol === "http:");
}

const OF_REQUEST = ["SAMLRequest", "RelayState"];

/** The request is added to the end of the URL. It must be found there, by us and by the identity provider. */
function canCarryRequest(url: string): boolean {
	const { searchParams } = new URL(url);
	return !url.includes("#") && !OF_REQUEST.some((name) => searchParams.has(name));
}

/** The certificates that sign, and not those that encrypt. */
function readCertificates(
	elements: XmlElement[],
	descriptor: XmlElement,
): IdpMetadata["certificates"] {
	const found = elements
		.filter(({ name, parent }) => {
			const key = parent?.parent?.parent;
			return (
				name === "X509Certificate" &&
				key?.name === "KeyDescriptor" &&
				key.parent === descriptor &&
				key.attributes.get("use") !== "encryption"
			);
		})
		.map(({ text }) => text.replaceAll(/\s+/g, ""));
	if (found.length === 0) throw invalid("It has no certificate");
	const certificates = [...new Set(found)];
	if (certificates.length > MAX_CERTIFICATES) throw invalid("It has too many certificates");
	return certificates.map((given) => {
		try {
			const certificate = new X509Certificate(Buffer.from(given, "base64"));
			const { fingerprint256: fingerprint, raw } = certificate;
			const [validFrom, expiresAt] = [
				new Date(certificate.validFrom),
				new Date(certificate.validTo),
			];
			return { fingerprint, validFrom, expiresAt, base64: raw.toString("base64") };
		} catch {
			throw invalid("One of its certificates cannot be read");
		}
	});
}

const invalid = (what: string) =>
	new APIError("BAD_REQUEST", {
		code: "INVALID_SAML_METADATA",
		message: `The metadata cannot be used. ${what}`,
	});
