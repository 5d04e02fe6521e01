import { useQuery } from "@tanstack/react-query";
import { formatTime } from "../../format";
import { Button, CopyButton } from "../../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { SearchBox } from "../../ui/lists";
import { useApi } from "../api/context";
import type { OutboxEmail } from "../api/service";
import { NoMatches } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { ServicePageHeader } from "../ServicePageHeader";

/** Emails that the service kept, because it has no mail server. */
export function OutboxPage() {
	const { outboxQuery } = useApi();
	const state = useListState();
	const { data, error, refetch } = useQuery(outboxQuery);
	const search = state.search.toLowerCase();
	const found = data?.filter(({ to, subject }) =>
		`${to} ${subject}`.toLowerCase().includes(search),
	);
	return (
		<div className="stack">
			<ServicePageHeader
				title="Outbox"
				hint="No mail server is configured (SMTP_URL). The last 100 emails are kept here instead."
				actions={<Button onClick={() => refetch()}>Refresh</Button>}
			/>
			<div className="row">
				<SearchBox
					label="Search by recipient or subject"
					value={state.search}
					onSearch={state.setSearch}
				/>
			</div>
			{error && !data && <ErrorState error={error} onRetry={refetch} />}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="block" />
				</div>
			)}
			{found?.length === 0 &&
				(state.search ? (
					<NoMatches what="emails" state={state} />
				) : (
					<EmptyState title="No emails yet">
						Verification and password reset emails appear here.
					</EmptyState>
				))}
			{found?.map((email) => (
				<EmailCard key={email.id} email={email} />
			))}
		</div>
	);
}

function EmailCard({ email }: { email: OutboxEmail }) {
	const link = /https?:\/\/\S+/.exec(email.text)?.[0];
	return (
		<Card
			title={email.subject}
			hint={
				<>
					To {email.to} · {formatTime(email.sentAt)}
				</>
			}
			actions={
				link && (
					<>
						<CopyButton value={link} what="link" labeled />
						<a
							className="button button-secondary button-small"
							href={link}
							target="_blank"
							rel="noreferrer"
						>
							Open link
						</a>
					</>
				)
			}
		>
			<details className="more">
				<summary>Text</summary>
				<p className="email-text break">{email.text}</p>
			</details>
		</Card>
	);
}
