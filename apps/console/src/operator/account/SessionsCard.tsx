import { useApiMutation } from "../../api/query-client";
import { describeDevice } from "../../device";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useToast } from "../../ui/Toast";
import { accountQuery, type OwnSession, revokeOtherSessions, revokeSession } from "../api/account";

/** Where the operator is signed in: here first, then the newest session. */
export function SessionsCard({ sessions }: { sessions: OwnSession[] }) {
	const toast = useToast();
	const onError = ({ message }: Error) => toast(message, "danger");
	const invalidate = [accountQuery.queryKey];
	const revoke = useApiMutation({
		mutationFn: (id: string) => revokeSession(id),
		successMessage: "Session ended.",
		invalidate,
		onError,
	});
	const revokeOthers = useApiMutation({
		mutationFn: revokeOtherSessions,
		successMessage: "You are signed out everywhere else.",
		invalidate,
		onError,
	});
	const ordered = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
	return (
		<Card
			title="Sessions"
			hint="Where you are signed in to the console."
			actions={
				sessions.length > 1 && (
					<Button size="small" busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
						Sign out everywhere else
					</Button>
				)
			}
		>
			<ul className="items">
				{ordered.map((session) => (
					<SessionItem
						key={session.id}
						session={session}
						busy={revoke.isPending && revoke.variables === session.id}
						onRevoke={() => revoke.mutate(session.id)}
					/>
				))}
			</ul>
		</Card>
	);
}

type SessionItemProps = { session: OwnSession; busy: boolean; onRevoke: () => void };

function SessionItem({ session, busy, onRevoke }: SessionItemProps) {
	const { userAgent, ipAddress, createdAt, current } = session;
	const device = describeDevice(userAgent);
	const signedIn = `signed in ${formatTime(createdAt)}`;
	return (
		<li>
			<div className="item-text">
				<p className="item-title">
					{device}
					{current && <Badge kind="success">This session</Badge>}
				</p>
				<p className="muted small break">{ipAddress ? `${ipAddress} · ${signedIn}` : signedIn}</p>
			</div>
			{!current && (
				<Button
					size="small"
					aria-label={`Sign out of ${device}, ${signedIn}`}
					busy={busy}
					onClick={onRevoke}
				>
					Sign out
				</Button>
			)}
		</li>
	);
}
