import type { EndpointRules } from "./endpoint-rules";
import type { ForeignPlugin } from "./foreign-plugin";

/** The credential of a managed connection. The token is its id and a secret. */
const CREDENTIALS = { scimManagedCredential: ["credentialId"] };

const managed: EndpointRules = {
	tenantFrom: "row",
	rows: CREDENTIALS,
	rowRequired: true,
	signIn: "managed",
};

export const scim: ForeignPlugin = {
	id: "scim",
	paths: {
		"/scim/v2/Users": managed,
		"/scim/v2/Users/:userId": managed,
		"/scim/v2/Groups": managed,
		"/scim/v2/Groups/:groupId": managed,
	},
	globalFields: CREDENTIALS,
};
