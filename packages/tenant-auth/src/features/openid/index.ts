export { requireTestAllowed } from "../../management/access/test-limit";
export type { ConnectionTest } from "./connection-test";
export { type OpenIdAction, tenantOpenId } from "./plugin";
export {
	type FetchedDocument,
	fetchFromProvider,
	findProviderUrlProblem,
	type ProviderFetchOptions,
} from "./provider-fetch";
