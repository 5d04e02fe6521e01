import { X509Certificate } from "node:crypto";
import { isAPIError } from "better-auth/api";
import { type FetchedDocument, fetchFromProvider } from "better-auth-tenant/openid";
import * as z from "zod";
import { CERTIFICATE_WARNING_DAYS } from "./certificate-states";
import { fetchIdpMetadata } from "./fetch-metadata";
import type { IdpMetadata } from "./idp-metadata";
import { readSavedMetadata, type StoredProvider } from "./provider-store";
import type { ServiceProvider } from "./service-provider";
import { MAX_CLOCK_SKEW_MS } from "./times";

const stepSchema = z.object({
	/**
	 * - `metadata`: the metadata can be read, and is still what its URL has
	 * - `certificate`: a certificate is valid, and for how long
	 * - `algorithm`: the keys can make signatures that are accepted
	 * - `own-urls`: the identity provider is saved for the URLs that the tenant has now
	 * - `domain`: the tenant has verified an email domain
	 * - `sign-in-url`: the page where users are sent responds
	 * - `clock`: both clocks show the same time
	 */
	name: z
		.enum(["metadata", "certificate", "algorithm", "own-urls", "domain", "sign-in-url", "clock"])
		.meta({ description: "What was tested" }),
	state: z
		.enum(["passed", "failed", "unknown"])
		.meta({ description: "unknown: it proves nothing, or needs attention soon" }),
	message: z.string().meta({ description: "One sentence" }),
});

export const connectionTestSchema = z.object({
	ok: z.boolean().meta({ description: "Whether no step failed; look at those that are unknown" }),
	steps: z.array(stepSchema).meta({ description: "The steps in their order" }),
});

type Step = z.output<typeof stepSchema>;
type Outcome = Omit<Step, "name">;

const passed = (message: string): Outcome => ({ state: "passed", message });
const failed = (message: string): Outcome => ({ state: "failed", message });
const unknown = (message: string): Outcome => ({ state: "unknown", message });

type Tested = {
	stored: StoredProvider;
	own: ServiceProvider;
	emailDomains: string[];
	allowPrivate: boolean;
};

/** Tests what can be tested without a person. It changes nothing. */
export async function testConnection({ stored, own, emailDomains, allowPrivate }: Tested) {
	const saved = readSavedMetadata(stored);
	const [metadata, page] = await Promise.all([
		testMetadata(stored, saved, allowPrivate),
		openSignInPage(saved.signInUrl, allowPrivate),
	]);
	const steps: Step[] = [
		{ name: "metadata", ...metadata },
		{ name: "certificate", ...testCertificates(saved) },
		{ name: "algorithm", ...testKeys(saved) },
		{ name: "own-urls", ...testOwnUrls(stored, own) },
		{ name: "domain", ...testDomains(emailDomains) },
		{ name: "sign-in-url", ...testSignInPage(page) },
		{ name: "clock", ...testClock(page) },
	];
	return { ok: steps.every(({ state }) => state !== "failed"), steps };
}

async function testMetadata(
	{ metadataUrl }: StoredProvider,
	saved: IdpMetadata,
	allowPrivate: boolean,
): Promise<Outcome> {
	if (metadataUrl === null) return passed("The saved metadata can be read");
	try {
		const loaded = await fetchIdpMetadata(metadataUrl, allowPrivate);
		if (loaded.entityId !== saved.entityId) {
			return failed("The URL now has the metadata of another identity provider");
		}
		const known = new Set(saved.certificates.map(({ fingerprint }) => fingerprint));
		return loaded.certificates.every(({ fingerprint }) => known.has(fingerprint))
			? passed("The metadata can be loaded from its URL")
			: unknown("The URL has a certificate that is not saved yet. Fetch it again");
	} catch (error) {
		if (isAPIError(error)) return failed(error.message);
		throw error;
	}
}

const DAY_MS = 24 * 60 * 60_000;

function testCertificates({ certificates }: IdpMetadata): Outcome {
	const now = Date.now();
	const valid = certificates.filter(({ validFrom, expiresAt }) => {
		return validFrom.getTime() <= now && now < expiresAt.getTime();
	});
	if (valid.length === 0) return failed("No certificate is valid today");
	const end = Math.max(...valid.map(({ expiresAt }) => expiresAt.getTime()));
	const days = Math.floor((end - now) / DAY_MS);
	const left = `The certificate is valid for ${days} more ${days === 1 ? "day" : "days"}`;
	return days < CERTIFICATE_WARNING_DAYS ? unknown(`${left}. Replace it soon`) : passed(left);
}

const MIN_BITS = 2048;

/** Responses are accepted with RSA and SHA-256 or more. The hash is seen in a response only. */
function testKeys({ certificates }: IdpMetadata): Outcome {
	const keys = certificates.map(({ base64 }) => {
		const { publicKey } = new X509Certificate(Buffer.from(base64, "base64"));
		const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
		return { isRsa: type === "rsa" || type === "rsa-pss", bits: details?.modulusLength ?? 0 };
	});
	if (!keys.some(({ isRsa }) => isRsa)) return failed("No certificate has an RSA key");
	const isShort = keys.some(({ isRsa, bits }) => isRsa && bits < MIN_BITS);
	if (isShort) return unknown(`A key has less than ${MIN_BITS} bits. Replace it`);
	return passed("The keys make RSA signatures. Only a sign-in shows that they use SHA-256");
}

const testOwnUrls = ({ audience }: StoredProvider, { entityId }: ServiceProvider): Outcome =>
	audience === entityId
		? passed(`The identity provider must know the entity ID ${entityId}`)
		: failed(
				`The tenant has another entity ID now: ${entityId}. Change it at the identity provider, and save the metadata again`,
			);

const testDomains = (domains: string[]): Outcome =>
	domains.length > 0
		? passed(`People with an email of ${domains.join(", ")} can sign in`)
		: failed("The tenant has no verified email domain, so nobody can sign in");

const OPTIONS = { accept: "text/html", returnsRedirects: true } as const;

const openSignInPage = (url: string, allowPrivate: boolean): Promise<FetchedDocument | null> =>
	fetchFromProvider(url, { ...OPTIONS, allowPrivate }).catch(() => null);

/** The browsers of a company may reach a page that this server does not. So it never fails. */
function testSignInPage(page: FetchedDocument | null): Outcome {
	if (!page) {
		// The same for every reason: it must not reveal which ports of a host are open.
		return unknown("This server cannot open the sign-in URL. Browsers of the company may open it");
	}
	return page.status === 404 || page.status === 410
		? unknown("The sign-in URL has no page. Only a sign-in shows whether it works")
		: passed("The sign-in URL responds");
}

function testClock(page: FetchedDocument | null): Outcome {
	const theirs = Date.parse(page?.headers.get("date") ?? "");
	if (Number.isNaN(theirs)) return unknown("The identity provider does not tell its time");
	const seconds = Math.round(Math.abs(theirs - Date.now()) / 1000);
	return seconds * 1000 <= MAX_CLOCK_SKEW_MS
		? passed("Both clocks show the same time")
		: failed(`The clocks differ by ${seconds} seconds. At most two minutes are allowed`);
}
