import type { SamlIdentityProvider, SamlInput } from "../api/saml";
import { findRoleLinesProblem, rolesIn, toRoleLines } from "../group-roles";

export type SamlValues = {
	/**
	 * `url`: where the identity provider publishes its metadata. `metadata`: the metadata as XML. `fields`:
	 * what the XML would have, one by one.
	 */
	source: "url" | "metadata" | "fields";
	metadataUrl: string;
	metadata: string;
	signInUrl: string;
	entityId: string;
	certificate: string;
	emailAttribute: string;
	nameAttribute: string;
	groupAttribute: string;
	/** A group and its role in each line. */
	roles: string;
};

/** The service does not return the certificate itself, so it has to be entered again. */
export const toSamlValues = (stored: SamlIdentityProvider | null): SamlValues => ({
	source: stored && stored.metadataUrl === null ? "metadata" : "url",
	metadataUrl: stored?.metadataUrl ?? "",
	metadata: "",
	signInUrl: stored?.signInUrl ?? "",
	entityId: stored?.entityId ?? "",
	certificate: "",
	emailAttribute: stored?.attributes.email ?? "",
	nameAttribute: stored?.attributes.name ?? "",
	groupAttribute: stored?.attributes.role ?? "",
	roles: toRoleLines(stored?.roles ?? {}),
});

type SamlProblems = Partial<Record<"metadata" | "certificate" | "roles", string | undefined>>;

/** What is wrong with the values. The service checks them again, and more of them. */
export function findSamlProblems(values: SamlValues): SamlProblems {
	const metadata = values.metadata.trim();
	const certificate = values.certificate.trim();
	const roles = findRolesProblem(values);
	if (values.source === "url") return { roles };
	return values.source === "metadata"
		? { metadata: metadata === "" ? undefined : findMetadataProblem(metadata), roles }
		: { certificate: certificate === "" ? undefined : findCertificateProblem(certificate), roles };
}

function findRolesProblem(values: SamlValues): string | undefined {
	const hasLines = values.roles.trim() !== "";
	const hasAttribute = values.groupAttribute.trim() !== "";
	if (hasLines && !hasAttribute) return "Also enter the attribute with the groups.";
	if (!hasLines && hasAttribute) return "Enter at least one group and its role.";
	return findRoleLinesProblem(values.roles);
}

function findMetadataProblem(text: string): string | undefined {
	if (/^https?:\/\/\S+$/.test(text)) {
		return "This is a URL. Choose “Metadata URL” above.";
	}
	if (!/<([\w.-]+:)?IDPSSODescriptor[\s>]/.test(text)) {
		return "This is not the metadata of a SAML identity provider.";
	}
	return undefined;
}

function findCertificateProblem(text: string): string | undefined {
	if (text.includes("PRIVATE KEY")) return "This has a private key. Enter the certificate only.";
	const certificates = certificatesIn(text);
	const areReadable = certificates.every((it) => /^[A-Za-z\d+/]+={0,2}$/.test(it));
	return certificates.length > 0 && areReadable
		? undefined
		: "This is not a certificate in PEM format.";
}

/** The Base64 of each certificate. Some identity providers show it without the lines around it. */
const certificatesIn = (text: string): string[] =>
	(text.includes("-----")
		? [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)].map(
				([, base64 = ""]) => base64,
			)
		: [text]
	).map((base64) => base64.replaceAll(/\s/g, ""));

export function toSamlInput(
	values: SamlValues,
	stored: SamlIdentityProvider | null = null,
): SamlInput {
	const email = values.emailAttribute.trim();
	const name = values.nameAttribute.trim();
	const role = values.groupAttribute.trim();
	return {
		...toSource(values, stored),
		attributes: {
			...(email ? { email } : {}),
			...(name ? { name } : {}),
			...(role ? { role } : {}),
		},
		roles: rolesIn(values.roles),
	};
}

function toSource(
	values: SamlValues,
	stored: SamlIdentityProvider | null,
): Pick<SamlInput, "metadata" | "metadataUrl"> {
	if (values.source === "url") {
		const metadataUrl = values.metadataUrl.trim();
		// Somebody who changes a role does not need the URL to respond. To save it again solves a problem.
		const isKept = metadataUrl === stored?.metadataUrl && !stored.load?.problem;
		return isKept ? {} : { metadataUrl };
	}
	const metadata = values.source === "metadata" ? values.metadata.trim() : writeMetadata(values);
	return metadata ? { metadata } : {};
}

/** The service takes metadata only. */
function writeMetadata({ signInUrl, entityId, certificate }: SamlValues): string {
	const keys = certificatesIn(certificate).map(
		(base64) =>
			`<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
	);
	// A URL without quotes, however it was written.
	const location = new URL(signInUrl.trim()).href.replaceAll("'", "%27");
	return [
		`<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityId.trim())}">`,
		`<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">`,
		...keys,
		`<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escaped(location)}"/>`,
		"</IDPSSODescriptor></EntityDescriptor>",
	].join("");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (it) => ESCAPES[it] ?? "");
