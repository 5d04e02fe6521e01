import type { SamlCertificate } from "../api/saml";

const WARNING_MS = 30 * 24 * 60 * 60_000;

export type ExpiryState = "valid" | "soon" | "expired";

export function expiryState({ expiresAt }: Pick<SamlCertificate, "expiresAt">): ExpiryState {
	const left = new Date(expiresAt).getTime() - Date.now();
	if (left <= 0) return "expired";
	return left <= WARNING_MS ? "soon" : "valid";
}

/**
 * The certificate that is valid for the longest time. While an identity provider replaces its
 * certificate, its metadata has both, and only the end of the new one matters.
 */
export const lastCertificate = (certificates: SamlCertificate[]): SamlCertificate | undefined =>
	certificates.reduce<SamlCertificate | undefined>(
		(last, one) => (last && new Date(last.expiresAt) >= new Date(one.expiresAt) ? last : one),
		undefined,
	);
