import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";
import { every } from "../../api/query-client";

/** As `apps/server/src/saml/connection-test.ts` has it. */
export type SamlTest = {
	ok: boolean;
	steps: {
		name:
			| "metadata"
			| "certificate"
			| "algorithm"
			| "own-urls"
			| "domain"
			| "sign-in-url"
			| "clock";
		state: "passed" | "failed" | "unknown";
		message: string;
	}[];
};

/** As `apps/server/src/saml/test-sign-in.ts` has it. */
export type SamlTestResult = {
	ok: boolean;
	code: string | null;
	message: string;
	/** What is unusual in a response that was refused. */
	hints: string[];
	person: SamlTestPerson | null;
};

export type SamlTestPerson = {
	nameId: string;
	email: string;
	name: string;
	attributes: Record<string, string[]>;
	groups: string[];
	role: string | null;
};

type StartedTest = { testId: string; url: string; expiresAt: string };

const PATH = "/tenant/saml";
const POLL_MS = 2000;

const ONCE = { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false, retry: false } as const;

export const samlTestCalls = (client: ApiClient) => {
	const post = <Data>(path: string, tenantId: string) =>
		callApi(client.$fetch<Data>(`${PATH}/${path}`, { method: "POST", body: { tenantId } }));
	return {
		/** What can be tested without a person. It is tested each time. */
		samlTestQuery: (tenantId: string) =>
			queryOptions({
				queryKey: ["saml-test", tenantId],
				queryFn: () => post<SamlTest>("test", tenantId),
				...ONCE,
			}),
		startSamlTest: (tenantId: string) => post<StartedTest>("start-test", tenantId),
		/** Asks until somebody has signed in. */
		samlTestResultQuery: (tenantId: string, testId: string) =>
			queryOptions({
				queryKey: ["saml-test-result", tenantId, testId],
				queryFn: () =>
					callApi(
						client.$fetch<{ result: SamlTestResult | null }>(`${PATH}/test-result`, {
							query: { tenantId, testId },
						}),
					),
				...ONCE,
				refetchInterval: (query) => (query.state.data?.result ? false : every(POLL_MS)(query)),
			}),
	};
};
