import type { MatrixRows } from "./attempt";
import { chooserRows } from "./chooser";
import { domainRows } from "./domains";
import { emailRows } from "./email";
import { invitationRows } from "./invitations";
import { linkRows } from "./links";
import { oauthConfigRows } from "./oauth-configs";
import { operationRows } from "./operations";
import { socialRows } from "./social";
import { tenantRows } from "./tenants";
import { userRows } from "./users";
import { webhookRows } from "./webhooks";

/** What B tries at each endpoint of this plugin. */
export const ownRows: MatrixRows = {
	...tenantRows,
	...emailRows,
	...oauthConfigRows,
	...domainRows,
	...chooserRows,
	...socialRows,
	...userRows,
	...invitationRows,
	...linkRows,
	...operationRows,
	...webhookRows,
};
