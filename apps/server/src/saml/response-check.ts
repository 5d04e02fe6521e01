import { InvalidXml, localName, readXml, type XmlElement } from "./xml";

/** A response with hundreds of groups has fewer. The plugin needs minutes for some with thousands. */
const LIMITS = { maxElements: 1000, maxAttributes: 2000, mayHaveComments: false };

/** The plugin rejects SHA-1 in signatures of URLs only, and not in those of a form. */
const ALGORITHMS = new Set([
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
	"http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
	"http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1",
	"http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1",
	"http://www.w3.org/2001/04/xmlenc#sha256",
	"http://www.w3.org/2001/04/xmldsig-more#sha384",
	"http://www.w3.org/2001/04/xmlenc#sha512",
	"http://www.w3.org/2000/09/xmldsig#enveloped-signature",
	"http://www.w3.org/2001/10/xml-exc-c14n#",
	"http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
	"http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
	"http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
	"http://www.w3.org/2006/12/xml-c14n11",
	"http://www.w3.org/2006/12/xml-c14n11#WithComments",
]);

export type CheckedResponse = { SAMLResponse: string; inResponseTo: string } | { error: string };

/**
 * Checks what the plugin does not check, before it parses the response. It verifies the signature of the
 * assertion afterwards.
 *
 * @returns the response as it was checked, so that no parser reads it in another way
 */
export function checkResponse(base64: string): CheckedResponse {
	const xml = Buffer.from(base64, "base64").toString();
	const found = findRequest(xml);
	return "error" in found ? found : { ...found, SAMLResponse: Buffer.from(xml).toString("base64") };
}

/** The id of the request that all parts of a response belong to. */
function findRequest(xml: string): { inResponseTo: string } | { error: string } {
	let elements: XmlElement[];
	try {
		elements = readXml(xml, LIMITS);
	} catch (error) {
		if (error instanceof InvalidXml) return { error: "saml_invalid_xml" };
		throw error;
	}
	const valuesOf = (name: string) =>
		elements.flatMap(({ attributes }) =>
			[...attributes].filter(([key]) => localName(key) === name).map(([, value]) => value),
		);
	if (!valuesOf("Algorithm").every((algorithm) => ALGORITHMS.has(algorithm))) {
		return { error: "saml_algorithm_not_allowed" };
	}
	const request = elements[0]?.attributes.get("InResponseTo");
	if (!request) return { error: "unsolicited_response" };
	// The plugin reads it from the response only, where it is not signed: somebody could put the assertion
	// for another person's sign-in there (SAML profiles, section 4.1.4.3).
	const confirmations = elements.filter(({ name }) => name === "SubjectConfirmationData");
	const isBound =
		valuesOf("InResponseTo").every((value) => value === request) &&
		confirmations.every(({ attributes }) => attributes.has("InResponseTo"));
	return isBound ? { inResponseTo: request } : { error: "invalid_saml_response" };
}
