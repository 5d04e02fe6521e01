import { inflateRawSync } from "node:zlib";
import { BetterAuthError } from "@better-auth/core/error";
import { runInTenant } from "better-auth-tenant";
import type { Auth } from "../auth";
import { readIdpMetadata } from "../saml/idp-metadata";
import { findProvider } from "../saml/provider-store";
import { checkResponse } from "../saml/response-check";
import { findHints } from "../saml/response-hints";
import type { ServiceProvider } from "../saml/service-provider";
import { toResult } from "../saml/test-result";
import { runAsTest, type TestRun } from "../saml/test-run";
import { testStore } from "../saml/test-sign-in";
import { readXml } from "../saml/xml";

type Form = { SAMLResponse: string; RelayState: string };

/** What the routes of a tenant do for a test sign-in. */
export function samlTestFlow(auth: Auth, tenantId: string) {
	const inTenant = async <T>(
		work: (store: ReturnType<typeof testStore>) => Promise<T>,
	): Promise<T> => {
		const context = await auth.$context;
		// The tests of a suspended tenant fail, and do not look like an outage.
		return runInTenant(auth, tenantId, () => work(testStore(context)), { allowSuspended: true });
	};
	/** A tenant that is being deleted has no tests. */
	const findInTenant = <T>(work: (store: ReturnType<typeof testStore>) => Promise<T | null>) =>
		inTenant(work).catch((error: unknown) => {
			if (error instanceof BetterAuthError) return null;
			throw error;
		});
	const end = (testId: string, run: TestRun, code: string, hints: string[] = []) =>
		inTenant((store) => store.end(testId, toResult(run, code, hints)));

	const hintsFor = async (SAMLResponse: string, own: ServiceProvider): Promise<string[]> => {
		const context = await auth.$context;
		const stored = await inTenant(() => findProvider(context.adapter));
		if (!stored) return [];
		const saved = readIdpMetadata(stored.metadata, true);
		return findHints(SAMLResponse, { saved, audience: own.entityId, acsUrl: own.acsUrl });
	};

	return {
		open: (link: string, secret: string | undefined) =>
			findInTenant((store) => store.open(link, secret)),
		/** @param url where the browser is sent, with the request in it */
		sent: ({ searchParams }: URL, testId: string) => {
			const requestId = idOfRequest(searchParams.get("SAMLRequest") ?? "");
			const relayState = searchParams.get("RelayState") ?? "";
			return inTenant((store) => store.sent(relayState, { testId, requestId }));
		},
		/** A test whose sign-in could not start. */
		failed: (testId: string, code: string) => end(testId, {}, code),
		/**
		 * Lets the plugin check the response as it does at a sign-in, and saves what came out.
		 *
		 * @param send sends the response to the plugin, and returns the code with which the sign-in ended, or
		 *   an outage
		 * @returns an outage, or whether there is such a test
		 */
		async finish(
			{ SAMLResponse, RelayState }: Form,
			own: ServiceProvider,
			send: (SAMLResponse: string) => Promise<string | Response>,
		): Promise<Response | boolean> {
			const run: TestRun = {};
			const checked = checkResponse(SAMLResponse);
			// With the cookie of a test, nobody is signed in.
			const ended =
				"error" in checked ? checked.error : await runAsTest(run, () => send(checked.SAMLResponse));
			if (ended instanceof Response) return ended;
			const request = await findInTenant((store) => store.takeRequest(RelayState));
			if (!request) return false;
			const { testId, requestId } = request;
			// Somebody could bring the response to a request of their own, with the RelayState of the test.
			if ("inResponseTo" in checked && checked.inResponseTo !== requestId) {
				await end(testId, {}, "invalid_saml_response");
			} else {
				await end(testId, run, ended, run.asserted ? [] : await hintsFor(SAMLResponse, own));
			}
			return true;
		},
	};
}

const LIMITS = { maxElements: 100, maxAttributes: 100, mayHaveComments: false };

/** The plugin has made the request, and put it into a URL. */
function idOfRequest(deflated: string): string {
	const xml = String(inflateRawSync(Buffer.from(deflated, "base64")));
	const id = readXml(xml, LIMITS)[0]?.attributes.get("ID");
	if (!id) throw new Error("The SAML request has no id");
	return id;
}
