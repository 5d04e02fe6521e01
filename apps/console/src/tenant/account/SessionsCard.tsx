import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { describeDevice } from "../../device";
import { useErrorMessage } from "../../sign-in/error-messages";
import { useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { Badge, EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { Pager, SearchBox } from "../../ui/lists";
import { useToast } from "../../ui/Toast";
import { type Session, sessionsQuery } from "../queries";

const PAGE_SIZE = 8;
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function SessionsCard({ currentToken }: { currentToken: string }) {
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const { data, error, refetch } = useQuery(sessionsQuery(useTenant()));
	const { search, setSearch, found, offset, setOffset } = useFilteredSessions(data, currentToken);
	const { revoke, revokeOthers } = useRevokeSessions();
	return (
		<Card
			title={account.sessions}
			actions={
				data &&
				data.length > 1 && (
					<Button size="small" busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
						{account.signOutOthers}
					</Button>
				)
			}
		>
			{data && data.length > PAGE_SIZE && (
				<SearchBox label={account.searchSessions} value={search} onSearch={setSearch} />
			)}
			{error && (
				<ErrorState error={error} message={errorMessage(error)} onRetry={() => refetch()} />
			)}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			{found?.length === 0 && <EmptyState title={account.noSessions} />}
			<ul className="items">
				{found?.slice(offset, offset + PAGE_SIZE).map((session) => (
					<SessionItem
						key={session.id}
						session={session}
						isCurrent={session.token === currentToken}
						busy={revoke.isPending && revoke.variables === session.token}
						onRevoke={() => revoke.mutate(session.token)}
					/>
				))}
			</ul>
			{found && found.length > PAGE_SIZE && (
				<Pager
					what={account.sessionsCounted}
					offset={offset}
					count={Math.min(PAGE_SIZE, found.length - offset)}
					total={found.length}
					onPrevious={offset > 0 ? () => setOffset(offset - PAGE_SIZE) : undefined}
					onNext={
						offset + PAGE_SIZE < found.length ? () => setOffset(offset + PAGE_SIZE) : undefined
					}
				/>
			)}
		</Card>
	);
}

type SessionItemProps = {
	session: Session;
	isCurrent: boolean;
	busy: boolean;
	onRevoke: () => void;
};

function SessionItem({ session, isCurrent, busy, onRevoke }: SessionItemProps) {
	const { account, device: deviceTexts } = useTexts();
	const device = describeDevice(session.userAgent, deviceTexts);
	const signedIn = account.signedIn(TIME.format(new Date(session.createdAt)));
	return (
		<li>
			<div className="item-text">
				<p className="item-title">
					{device}
					{isCurrent && <Badge kind="success">{account.thisDevice}</Badge>}
				</p>
				<p className="muted small break">
					{session.ipAddress ? `${session.ipAddress} · ${signedIn}` : signedIn}
				</p>
			</div>
			{!isCurrent && (
				<Button size="small" aria-label={account.signOutOf(device)} busy={busy} onClick={onRevoke}>
					{account.signOut}
				</Button>
			)}
		</li>
	);
}

/** The sessions that match the search: the current one first, then the newest. */
function useFilteredSessions(sessions: Session[] | undefined, currentToken: string) {
	const { device } = useTexts();
	const [search, setSearch] = useState("");
	const [offset, setOffset] = useState(0);
	const text = search.trim().toLowerCase();
	const isCurrent = ({ token }: Session) => Number(token === currentToken);
	return {
		search,
		setSearch: (value: string) => {
			setSearch(value);
			setOffset(0);
		},
		offset,
		setOffset,
		found: sessions
			?.filter(({ userAgent, ipAddress }) =>
				`${describeDevice(userAgent, device)} ${ipAddress ?? ""}`.toLowerCase().includes(text),
			)
			.sort(
				(a, b) => isCurrent(b) - isCurrent(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt),
			),
	};
}

function useRevokeSessions() {
	const tenant = useTenant();
	const toast = useToast();
	const errorMessage = useErrorMessage();
	const shared = {
		invalidate: [sessionsQuery(tenant).queryKey],
		onError: (error: Error) => toast(errorMessage(error), "danger"),
	};
	return {
		revoke: useApiMutation({
			mutationFn: (token: string) => callApi(tenant.client.revokeSession({ token })),
			...shared,
		}),
		revokeOthers: useApiMutation({
			mutationFn: () => callApi(tenant.client.revokeOtherSessions()),
			...shared,
		}),
	};
}
