import { deviceOf } from "../../device";
import type { Column } from "../../ui/Table";
import type { TenantSession } from "../api/users";
import { Time } from "../format/Time";
import { EndSession } from "./EndSession";

type SessionColumn = Column<TenantSession>;

/** @param user the column that names whose session it is, where that is not clear */
export const sessionColumns = (tenantId: string, user?: SessionColumn): SessionColumn[] => [
	...(user ? [user] : []),
	{
		title: "With",
		heading: !user,
		cell: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceOf(userAgent)}</span>,
	},
	{ title: "From", cell: ({ ipAddress }) => <code>{ipAddress || "–"}</code> },
	{ title: "Since", cell: ({ createdAt }) => <Time moment={createdAt} /> },
	{ title: "Until", cell: ({ expiresAt }) => <Time moment={expiresAt} /> },
	{
		title: "Actions",
		hideTitle: true,
		align: "end",
		cell: (session) => <EndSession tenantId={tenantId} session={session} />,
	},
];
