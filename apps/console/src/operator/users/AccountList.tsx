import { providerOf } from "../../providers";
import { EmptyState } from "../../ui/EmptyState";
import { ProviderMark } from "../../ui/ProviderMark";
import type { UserAccount } from "../api/users";
import { formatMoment } from "../format/moment";

export function AccountList({ accounts }: { accounts: UserAccount[] }) {
	if (accounts.length === 0) return <EmptyState title="No way to sign in" />;
	return (
		<ul className="items">
			{accounts.map(({ id, providerId, accountId, createdAt }) => (
				<li key={id}>
					<span className="with-logo">
						{providerId !== "credential" && <ProviderMark providerId={providerId} />}
						<span>
							<strong>
								{providerId === "credential" ? "Password" : providerOf(providerId).name}
							</strong>
							{providerId !== "credential" && (
								<span className="muted small break account-id">Account {accountId}</span>
							)}
						</span>
					</span>
					<span className="muted small">since {formatMoment(createdAt)}</span>
				</li>
			))}
		</ul>
	);
}
