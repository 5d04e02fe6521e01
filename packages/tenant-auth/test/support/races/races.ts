import { acceptInvitation, signUpInvited } from "./invitations";
import { deleteTenant, registerConfig, removeOwners, takeSlug } from "./management";
import type { Race } from "./race";
import { enterDeleted, enterSuspended, signUpAll, signUpOnce } from "./sign-ups";
import { presentCallback, signInSocially } from "./social";

/** What happens on two instances at the same time. */
export const races: Record<string, Race> = {
	"two owners remove each other": removeOwners,
	"six sign-ups with one email": signUpOnce,
	"36 people sign up": signUpAll,
	"sign-ups, sign-ins and a suspension": enterSuspended,
	"sign-ups, sign-ins and a deletion": enterDeleted,
	"six deletions of a tenant": deleteTenant,
	"an invitation is accepted six times": acceptInvitation,
	"six sign-ups with one invitation": signUpInvited,
	"the first social sign-in of a person, six times": signInSocially,
	"a callback is presented twice": presentCallback,
	"six tenants want a slug": takeSlug,
	"six callers register a client": registerConfig,
};
