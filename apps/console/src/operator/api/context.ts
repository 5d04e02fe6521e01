import { createContext, useContext } from "react";
import type { ApiClient } from "../../api/client";
import { applicationCalls } from "./applications";
import { directoryCalls } from "./directory";
import { domainCalls } from "./domains";
import { grantCalls } from "./grants";
import { invitationCalls } from "./invitations";
import { mailCalls } from "./mails";
import { policyCalls } from "./policy";
import { providerCalls } from "./providers";
import { samlCalls } from "./saml";
import { samlTestCalls } from "./saml-test";
import { serviceCalls } from "./service";
import { signInCalls } from "./sign-ins";
import { tenantCalls } from "./tenants";
import { userMetadataCalls } from "./user-metadata";
import { userCalls } from "./users";
import { webhookCalls } from "./webhooks";

/** All calls of the console, made with one client. */
export const createConsoleApi = (client: ApiClient) => ({
	...tenantCalls(client),
	...userCalls(client),
	...grantCalls(client),
	...userMetadataCalls(client),
	...invitationCalls(client),
	...policyCalls(client),
	...signInCalls(client),
	...domainCalls(client),
	...directoryCalls(client),
	...samlCalls(client),
	...samlTestCalls(client),
	...webhookCalls(client),
	...mailCalls(client),
	...providerCalls(client),
	...applicationCalls(client),
	...serviceCalls(client),
});

export type ConsoleApi = ReturnType<typeof createConsoleApi>;

/** Pages take their calls from here, so that the same pages work with another client. */
export const ApiContext = createContext<ConsoleApi | null>(null);

export function useApi(): ConsoleApi {
	const api = useContext(ApiContext);
	if (!api) throw new Error("useApi needs an ApiContext");
	return api;
}
