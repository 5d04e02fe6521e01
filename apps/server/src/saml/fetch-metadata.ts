import { APIError } from "better-auth/api";
import { fetchFromProvider, findProviderUrlProblem } from "better-auth-tenant/openid";
import { type IdpMetadata, MAX_METADATA_BYTES, readIdpMetadata } from "./idp-metadata";

const OPTIONS = { accept: "application/samlmetadata+xml, */*;q=0.5", maxBytes: MAX_METADATA_BYTES };

/**
 * Loads the metadata of an identity provider, and checks it as if somebody had pasted it.
 *
 * @param allowPrivate whether it may be in a private network, and use http
 * @throws APIError that says what is wrong, and nothing about a host that is not public
 */
export async function fetchIdpMetadata(url: string, allowPrivate: boolean): Promise<IdpMetadata> {
	const problem = findProviderUrlProblem(url, allowPrivate);
	if (problem) throw invalidUrl(problem);
	const response = await fetchFromProvider(url, { ...OPTIONS, allowPrivate }).catch(() => null);
	if (response?.status !== 200) throw unreachable();
	return readIdpMetadata(response.body, allowPrivate);
}

const invalidUrl = (problem: string) =>
	new APIError("BAD_REQUEST", {
		code: "INVALID_SAML_METADATA_URL",
		message: `The metadata URL ${problem}`,
	});

/** One message for every reason: it must not reveal which ports of a host are open. */
const unreachable = () =>
	new APIError("BAD_GATEWAY", {
		code: "SAML_METADATA_UNREACHABLE",
		message:
			"The metadata could not be loaded. The URL must respond with it within 10 seconds, and not with a redirect",
	});
