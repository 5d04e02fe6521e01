import type { Column } from "../../ui/Table";
import type { TenantSession } from "../api/users";
import { browserName } from "../format/browser-name";
import { formatMoment } from "../format/moment";

export const SESSION_COLUMNS: Column<TenantSession>[] = [
	{
		title: "With",
		cell: ({ userAgent }) => <span title={userAgent ?? undefined}>{browserName(userAgent)}</span>,
	},
	{ title: "From", cell: ({ ipAddress }) => <code>{ipAddress || "–"}</code> },
	{
		title: "Since",
		cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time>,
	},
	{
		title: "Until",
		cell: ({ expiresAt }) => <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>,
	},
];
