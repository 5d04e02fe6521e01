import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../../ui/feedback";
import { accountQuery } from "../api/account";
import { Loaded } from "../lists/Loaded";
import { ServicePageHeader } from "../ServicePageHeader";
import { useConsoleOperator } from "../session/operator";
import { NameCard, PasswordCard } from "./profile-cards";
import { SecondFactorCard } from "./SecondFactorCard";
import { SessionsCard } from "./SessionsCard";

/** What operators change about their own account, whatever their role is. */
export function AccountPage() {
	const operator = useConsoleOperator();
	const hasAccount = operator?.kind === "admin";
	const account = useQuery({ ...accountQuery, enabled: hasAccount });
	return (
		<div className="stack narrow">
			<ServicePageHeader title="Your account" />
			{hasAccount ? (
				<Loaded query={account}>
					{(own) => (
						<>
							<NameCard account={own} />
							<PasswordCard name={own.name} email={own.email} />
							<SecondFactorCard account={own} />
							<SessionsCard sessions={own.sessions} />
						</>
					)}
				</Loaded>
			) : (
				<EmptyState title="A key has no account">
					Sign in with your email and password to see your account.
				</EmptyState>
			)}
		</div>
	);
}
