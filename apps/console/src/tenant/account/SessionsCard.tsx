import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { unwrap } from "../../api/unwrap";
import { deviceOf } from "../../device";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { EmptyState } from "../../ui/EmptyState";
import { ErrorState } from "../../ui/ErrorState";
import { Pager } from "../../ui/Pager";
import { SearchBox } from "../../ui/SearchBox";
import { Skeleton } from "../../ui/Skeleton";
import { useToast } from "../../ui/Toast";
import { messageOf } from "../messages";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";
import { sessionsKey, useSessions } from "./account-queries";

const perPage = 8;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Where the user is signed in: this device, then the newest first. */
export function SessionsCard({ currentToken }: { currentToken: string }) {
	const { client, options } = useTenant();
	const toast = useToast();
	const queryClient = useQueryClient();
	const { data, error, refetch } = useSessions();
	const [search, setSearch] = useState("");
	const [offset, setOffset] = useState(0);
	const reload = () => queryClient.invalidateQueries({ queryKey: sessionsKey(options.tenant.id) });
	const failed = (problem: Error) => toast(messageOf(problem), "danger");

	const revoke = useCall((token: string) => unwrap(client.revokeSession({ token })), reload);
	const revokeOthers = useCall(() => unwrap(client.revokeOtherSessions()), reload);

	const sessions = data
		?.map((session) => ({ ...session, device: deviceOf(session.userAgent) }))
		.filter(({ device, ipAddress }) =>
			`${device} ${ipAddress ?? ""}`.toLowerCase().includes(search.trim().toLowerCase()),
		)
		.sort(
			(a, b) =>
				Number(b.token === currentToken) - Number(a.token === currentToken) ||
				Number(new Date(b.createdAt)) - Number(new Date(a.createdAt)),
		);

	return (
		<Card
			title="Where you are signed in"
			actions={
				(data?.length ?? 0) > 1 && (
					<Button
						size="small"
						busy={revokeOthers.isPending}
						onClick={() => revokeOthers.mutate(undefined, { onError: failed })}
					>
						Sign out everywhere else
					</Button>
				)
			}
		>
			{(data?.length ?? 0) > perPage && (
				<SearchBox
					label="Search by device or address"
					value={search}
					onSearch={(value) => {
						setSearch(value);
						setOffset(0);
					}}
				/>
			)}
			{error && <ErrorState error={error} onRetry={() => refetch()} />}
			{!data && !error && <Skeleton kind="control" />}
			{sessions?.length === 0 && <EmptyState title="No session matches that search" />}
			<ul className="items">
				{sessions?.slice(offset, offset + perPage).map((session) => (
					<li key={session.id}>
						<div className="item-text">
							<p className="item-title">
								{session.device}
								{session.token === currentToken && <Badge kind="success">This device</Badge>}
							</p>
							<p className="muted small break">
								{[session.ipAddress, `since ${time.format(new Date(session.createdAt))}`]
									.filter(Boolean)
									.join(" · ")}
							</p>
						</div>
						{session.token !== currentToken && (
							<Button
								size="small"
								aria-label={`Sign out ${session.device}`}
								busy={revoke.isPending && revoke.variables === session.token}
								onClick={() => revoke.mutate(session.token, { onError: failed })}
							>
								Sign out
							</Button>
						)}
					</li>
				))}
			</ul>
			{(sessions?.length ?? 0) > perPage && (
				<Pager
					what="sessions"
					offset={offset}
					limit={perPage}
					total={sessions?.length}
					onOffset={setOffset}
				/>
			)}
		</Card>
	);
}
