import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { describeDevice } from "../../device";
import { formatCount } from "../../format";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { AuditEvent } from "../api/service";
import type { SignIn } from "../api/sign-ins";
import { describeAction, nameOfActor } from "../audit/audit-columns";
import { describeDetail } from "../audit/event-details";
import { useMayInTenant, useTenantHome } from "../current-tenant/tenant-context";
import { Time } from "../details";
import { describeMethod } from "../sign-ins/methods";
import { describeReason } from "../sign-ins/reasons";

const SHOWN = 10;
const NEWEST = { limit: SHOWN, offset: 0, total: "none" } as const;

type Entry = { id: string; createdAt: string; title: ReactNode; facts: string };

type TimelineCardProps = { tenantId: string; userId: string };

/** What happened with a user, newest first: sign-ins, and changes by administrators. */
export function TimelineCard({ tenantId, userId }: TimelineCardProps) {
	const { signInsQuery, auditQuery } = useApi();
	const home = useTenantHome();
	const may = useMayInTenant();
	const signIns = useQuery({
		...signInsQuery(tenantId, { userId, ...NEWEST }),
		enabled: may("sign-in:list"),
	});
	const events = useQuery({
		...auditQuery({ tenantId, targetId: userId, ...NEWEST }),
		enabled: may("audit:list"),
	});
	const failed = [signIns, events].find(({ data, error }) => error && !data);
	// Of both lists, the newest entries are among the newest of each.
	const entries = [
		...(signIns.data?.items.map(entryOfSignIn) ?? []),
		...(events.data?.items.map(entryOfEvent) ?? []),
	]
		.sort((a, b) => b.createdAt.localeCompare(a.createdAt))
		.slice(0, SHOWN);
	return (
		<Card
			title="Timeline"
			hint="The newest sign-ins of the user, and changes that others made."
			actions={
				<>
					{may("sign-in:list") && (
						<LogLink to={`${home}/sign-ins?user=${userId}`}>Sign-ins</LogLink>
					)}
					{may("audit:list") && <LogLink to={`${home}/audit?target=${userId}`}>Audit log</LogLink>}
				</>
			}
		>
			{failed?.error ? (
				<ErrorState error={failed.error} onRetry={failed.refetch} />
			) : signIns.isLoading || events.isLoading ? (
				<div aria-busy="true">
					<Skeleton kind="block" />
				</div>
			) : entries.length === 0 ? (
				<EmptyState title="Nothing has happened yet" />
			) : (
				<ol className="items">
					{entries.map(({ id, createdAt, title, facts }) => (
						<li key={id}>
							<div className="item-text">
								{title}
								{facts && <span className="muted small break subtext">{facts}</span>}
							</div>
							<span className="muted small">
								<Time timestamp={createdAt} />
							</span>
						</li>
					))}
				</ol>
			)}
		</Card>
	);
}

function LogLink({ to, children }: { to: string; children: string }) {
	return (
		<Link to={to} className="button button-secondary button-small">
			{children}
			<span className="visually-hidden"> of this user</span>
		</Link>
	);
}

const join = (...facts: (string | null | undefined | false)[]) => facts.filter(Boolean).join(" · ");

function entryOfSignIn(signIn: SignIn): Entry {
	const { id, createdAt, attempts, ipAddress, userAgent } = signIn;
	return {
		id,
		createdAt,
		title: describeSignIn(signIn),
		facts: join(
			describeMethod(signIn),
			describeDevice(userAgent),
			ipAddress,
			attempts > 1 && `${formatCount(attempts)} times`,
		),
	};
}

function describeSignIn({ result, reason }: SignIn): ReactNode {
	if (result === "succeeded") return "Signed in";
	if (result === "challenged") return "Was asked for the second factor";
	return (
		<span className="text-danger">
			Could not sign in{reason && <span title={reason}>: {describeReason(reason)}</span>}
		</span>
	);
}

function entryOfEvent(event: AuditEvent): Entry {
	const { id, createdAt, action } = event;
	return {
		id,
		createdAt,
		title: describeAction(action),
		facts: join(describeDetail(event), `by ${nameOfActor(event)}`),
	};
}
