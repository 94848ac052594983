"""English words that extraction knows, by what they tell about a sentence: what lasts, what passes, who is meant."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.replace("\n", " ").split(",") if phrase.strip())


# ---------------------------------------------------------------------------------------------------------------- verbs

VERBS = _words(
    """abstain adore archive assemble assist ban batch beat bill broadcast brush bundle cache celebrate chair charter choose
    chop coexist collaborate combine conduct consist consult contribute coordinate crochet curate cure date debug decorate
    descale despise devote direct display distribute document donate draft dry encrypt engrave exclude export extend fast
    film filter found frame fund generate govern graft grease greet halve harvest house illustrate inherit inspect insure
    intend interpret interview invoice keep lecture list loathe manufacture memorise memorize mirror moderate mow narrate
    oppose oversee patch permit pickle preach preside proofread prune purchase quilt rebuild recruit renew research respect
    retry rinse roll salt scale season serve settle shave skateboard soak source specify sponsor stack steam strive swallow
    swap sync tame taste toast tour tow transcribe translate transport whistle winter worship accept ache act add admire
    adopt advise agree aim allow annoy answer appear apply appreciate argue arrive ask attend avoid bake bank bathe be beat
    become begin believe belong bike block boil book boot borrow bother boulder break breathe breed brew bring build burn buy
    call calm camp care carry catch cause change charge chat check choose clean climb close coach code collect come commute
    complain compose confuse connect contain cook copy cost count cover crash create cross cry cut cycle dance deal decide
    deliver demand depend deploy design detest develop die dig direct disagree disgust dislike dive do draw dread dream dress
    drink drive drop drum earn eat edit email employ enable end enforce enjoy enter entertain exercise expect expire explain
    export face fail fall farm favour fear feed feel ferment fetch fight fill find finish fish fit fix fly focus follow
    forbid force forget foster freelance freeze garden gather get give go grade grill grind grow guard guess guide hang
    handle happen hate have head hear heat help hike hire hit hold hope host hunt hurt ignore imagine import include injure
    insist install invest iron irritate jog join juggle jump keep kick kill knit know lack last laugh lead leak lean learn
    lease leave lend let lie lift like limit list listen live load locate log look lose love maintain make manage mark marry
    matter mean measure meet mend mentor merge migrate milk mind miss mix monitor move name need nurse obey observe offer
    open operate order organise organize outsource own pack paint panic park participate pass pay perform phone photograph
    pick pin plan plant play point post practice practise pray prefer prepare press print produce program promise pronounce
    protect provide publish pull push put quit raise ran rate reach react read rear receive recommend record recycle refer
    refuse register rehearse reject relax release rely remain remember remind remove rent repair repeat replace reply report
    represent require reserve reset reside respond rest restart restore restrict retire return reuse review ride roast rotate
    row rule run sail save say scare schedule score search see seek seem sell send separate serve set sew share ship shoot
    shop show sign sing sit skate sketch ski skip sleep smell smoke snore snowboard solve sort sound speak specialise
    specialize spell spend split stand stare start stay steer stick stop store stream stretch study subscribe suffer suggest
    supervise supply support surf survive suspect swear sweat swim switch swell tag take talk target taste teach tell tend
    test thank think throw tolerate touch track trade train translate travel treat trigger trim trust try turn tutor type
    understand update upgrade upset use value vary visit volunteer vote wait wake walk want warn wash watch water wear weave
    weigh weld wind wish wonder work worry wrap write yield"""
)

IRREGULAR_PAST = {
    form: base
    for pair in """was:be were:be had:have did:do went:go came:come became:become began:begin bought:buy
        brought:bring built:build broke:break caught:catch chose:choose drew:draw drank:drink
        drove:drive ate:eat fell:fall felt:feel found:find flew:fly forgot:forget got:get gave:give
        grew:grow heard:hear held:hold kept:keep knew:know left:leave lent:lend lost:lose made:make
        meant:mean met:meet paid:pay ran:run rode:ride rose:rise said:say saw:see sold:sell
        sent:send sang:sing sat:sit slept:sleep spoke:speak spent:spend stood:stand stole:steal
        swam:swim taught:teach told:tell thought:think threw:throw took:take understood:understand
        woke:wake won:win wore:wear wrote:write led:lead learnt:learn fought:fight sought:seek
        dug:dig""".split()
    for form, base in [pair.split(":")]
}

PARTICIPLES = _words(
    """born been become begun broken brought built bought caught chosen come cut done drawn drunk driven eaten fallen felt flown
    forgotten found got gotten given gone grown had heard held kept known learnt left lent lost made meant met paid put read
    ridden run said seen sold sent set shown sung slept spoken spent stood stolen stopped swum switched taken taught told
    thought thrown understood woken won worn written led quit hit hurt shut split bred fed"""
)

NO_PAST = _words("need feed bleed breed speed seed exceed succeed proceed embed weed shed wed indeed red bed agreed")
"""They end like a past tense and are none."""

# Verbs of thinking, saying and doing at this moment: "I think", "I see" tell nothing that lasts.
PASSING_VERBS = _words(
    """add admit agree apologise apologize appreciate apply ask assume beg believe bet call change check choose click close
    commit compare complain confirm copy create decide delete doubt download dunno edit enter execute expect figure finish
    fix forget gather guess happen hear hit hope imagine import install know load log look mean merge mind miss move need
    notice open owe paste press promise pull push put recall reckon refresh remember remove rerun restart save say see seem
    select send set show start stop submit suggest suppose suspect swear tell test thank think try turn type understand
    update upload wait want wish wonder worry"""
)

# With these only "every", "always" and the like make a habit of it.
TASK_VERBS = _words("run make get do give take find leave bring pick go come keep use feel")

# With these the thing spoken of has a fault or a want: a matter of the day, or of a solution.
FAULT_VERBS = _words(
    """ache appear break bug burn complain crash die drop expire fail feel flicker freeze give hang happen hurt itch jam keep
    leak look lose miss need refuse return rattle reject ring say seem show smell sound squeak stay stick stop stutter take
    throw time turn want work"""
)

# A past event that leaves a lasting state behind.
LIFE_VERBS = _words(
    """adopt become begin born convert divorce emigrate found graduate grow inherit join leave lose marry migrate move qualify
    quit relocate retire separate split start stop study switch train settle swap replace enrol enroll change break tear
    immigrate drop win train bury give ban decide agree choose standardise standardize adopt"""
)

STATE_NOW = _words(
    """learning studying training living raising teaching leading maintaining renovating saving expecting recovering commuting
    freelancing volunteering mentoring coaching homeschooling dating retraining"""
)
"""I am ...ing that goes on for months."""

PROJECT_NOW = _words("building developing writing designing running organising organizing restoring translating illustrating")
"""I am ...ing that goes on for months if a thing follows, as in `building a boat`."""

ABLE_VERBS = _words(
    """eat drink stand bear tolerate digest drive swim ride hear smell taste walk lift climb kneel fly sit sing cook bend run
    whistle dance lie stomach abide afford swallow"""
)
REFUSED_VERBS = _words(
    """own eat drink use buy fly take touch travel drive read watch wear cook install pay accept invest work tolerate support
    keep allow hire sell ship store merge approve publish stay eat do sign"""
)

# --------------------------------------------------------------------------------------------------------------- adverbs

HABIT = _words(
    """always never usually normally generally typically mostly mainly often rarely seldom hardly regularly strictly exclusively
    primarily habitually invariably only daily weekly monthly yearly annually nightly permanently"""
)
ADVERBS = HABIT | _words(
    """also still really just already now currently sometimes actually both all absolutely simply probably even ever honestly
    definitely certainly totally completely basically personally occasionally originally recently finally once then too no
    longer yet nowadays deliberately severely badly either almost nearly not"""
)
HABIT_PHRASES = _phrases(
    """in all, for all, in every, for every, weekly, monthly, every day, every week, every month, every year, every morning,
    every evening, every night, every time, every single, each week, each month, each day, all year, every other, every
    second, once a, twice a, times a week, times a day, times a month, a week, a day, a month, a year, a lot, all the time,
    from time to time, once in a while, on mondays, on tuesdays, on wednesdays, on thursdays, on fridays, on saturdays, on
    sundays, on weekends, at weekends, every monday, every tuesday, every wednesday, every thursday, every friday, every
    saturday, every sunday, every weekend, on weekdays, in all our, in all my, in any of, all our, all my, as a rule, by
    default, by law, for years, for decades, since i was, all my life, from birth, since birth, per week, per month, in
    winter, in summer, for life, in general, as a matter of principle, house style, house rule, without exception, no
    exceptions, in the mornings, in the evenings, at night"""
)

# ------------------------------------------------------------------------------------------------------ what passes

PASSING_TIME = _phrases(
    """today, tonight, tomorrow, yesterday, this morning, this afternoon, this evening, this week, this weekend, this month,
    this time, this minute, this second, recently, lately, these days, right now, at the moment, just now, for now, later,
    soon, in a minute, in a bit, in a sec, last night, last week, last weekend, next week, next weekend, on the way, on my
    way, at present, in an hour, in a moment, a minute ago, an hour ago, the other day, all day, all morning, so far, half an
    hour, minutes ago, hours ago, for the moment, these days off, on monday, on tuesday, on wednesday, on thursday, on
    friday, on saturday, on sunday, next monday, next tuesday, next wednesday, next thursday, next friday, next saturday,
    next sunday, tmrw, rn, in five minutes, this one, this once, for once, again"""
)
PASSING_NOUNS = _words(
    """train bus tram flight gate order parcel taxi soup lunch breakfast turn internet screen connection browser tab download
    upload cursor output result results answer answers package delivery train queue-number spelling ache stomachache
    toothache earache cough flu rash hiccups nosebleed cramp bruise blister splinter sneeze question questions problem
    problems issue issues idea ideas meeting meetings call headache fever cold minute minutes second moment look doubt doubts
    feeling plan plans deadline appointment interview exam flight error errors bug bugs suspicion list file files table
    dataframe function script column columns array string query json csv snippet code log logs draft sentence paragraph text
    email message request favour favor choice hunch time chance reason clue clues thing things luck fun go bit lot lots few
    couple trouble difficulty day week weekend morning evening hour hours mess hangover deploy presentation essay assignment
    homework word point guess opinion concern concerns hope task tasks ticket traceback stacktrace warning screenshot photo
    picture link url pdf document page branch commit pr variable class loop regex dict test tests build conflict guests
    visitors party everything nothing something anything it this that them one some any no"""
)
NO_ROLE = _words(
    """bit little lot mess idiot fool wreck hurry rush dummy moron while minute moment second step mile day week hair tad few
    genius robot zombie star legend nuisance pain little loss disaster joke lost ghost"""
)
"""After "I am a": no trade, no role."""

# -------------------------------------------------------------------------------------------------------------- what lasts

LASTING_STATE = _words(
    """allergic vegetarian vegan pescatarian diabetic celiac coeliac asthmatic epileptic left-handed right-handed lefthanded
    colour-blind color-blind colourblind colorblind deaf blind intolerant lactose-intolerant gluten-free married divorced
    widowed pregnant retired self-employed freelance dyslexic autistic ambidextrous based born bilingual trilingual fluent
    kosher halal teetotal sober short-sighted nearsighted shortsighted claustrophobic insomniac adopted unemployed queer gay
    trans nonbinary non-binary hearing-impaired hard-of-hearing anaemic anemic asexual wheelchair-bound paralysed paralyzed
    bald introverted religious atheist muslim jewish christian buddhist hindu catholic protestant agnostic phobic qualified
    certified licensed chartered immunocompromised impaired visually-impaired formal strict shy picky fussy stubborn
    forgetful punctual religious superstitious extroverted sociable talkative clumsy"""
)
FEAR_STATE = _phrases(
    "afraid of, scared of, terrified of, frightened of, phobic of, sensitive to, prone to, immune to, addicted to"
)
ROLE_STATE = _phrases(
    """in charge of, responsible for, into, used to working, more of a, not a fan, not keen on, keen on, fond of, fluent in,
    married to, engaged to, related to, good at, bad at, terrible at, no good at, not good with, on a diet, on medication, on
    insulin, on blood thinners, on night shifts, on shifts, on parental leave, on maternity leave, on the board, on the
    committee, on call every, on warfarin, on statins, on antidepressants, employed at, employed by, enrolled at, enrolled
    in, member of, head of, not allowed to eat, not allowed to drink, not allowed to drive, not supposed to eat, not
    comfortable with, hard of hearing, short of hearing, blind in, deaf in, up to date with vaccinations, originally from,
    from"""
)

FAMILY_SHE = _words(
    """girl mother mum mom mama sister daughter wife grandmother grandma gran granny nana aunt auntie niece girlfriend
    stepmother stepdaughter mother-in-law sister-in-law daughter-in-law fiancée goddaughter godmother ex-wife granddaughter
    landlady half-sister stepsister"""
)
FAMILY_HE = _words(
    """boy lad father dad papa brother son husband grandfather grandpa grandad uncle nephew boyfriend stepfather stepson
    father-in-law brother-in-law son-in-law fiancé godson godfather ex-husband grandson landlord half-brother stepbrother"""
)
PEOPLE = _words(
    """nieces nephews sisters brothers aunts uncles daughters sons grandsons granddaughters grandson-in-law organist conductor
    caterer photographer architect notary plumber electrician carpenter mechanic broker ward tenant tenants lodger guide
    master foreman superior headmaster principal priest pastor imam rabbi conductor director secretary partner spouse cousin
    cousins friend friends colleague colleagues coworker co-worker boss manager supervisor doctor dentist therapist teacher
    tutor coach trainer neighbour neighbor flatmate roommate housemate child kid kids children baby twins twin parents
    grandparents siblings sibling accountant lawyer assistant apprentice intern client clients customer customers mentor
    professor student students pupil pupils pupil ex in-laws family team-mate teammate teammates crew cardiologist physio
    physiotherapist midwife nurse babysitter nanny gardener cleaner editor agent publisher co-founder cofounder toddler
    teenager grandchild grandchildren fiance carer hairdresser vet bandmate workmate"""
)
PETS = _words(
    """dog cat puppy kitten parrot rabbit bunny hamster horse pony tortoise turtle budgie canary lizard gecko snake ferret
    goldfish fish hens hen chickens chicken goat goats sheep bees cow cows donkey mare gelding greyhound labrador terrier
    poodle spaniel collie dogs cats axolotl hedgehog"""
)
GROUPS = _words(
    """team company firm office employer department lab laboratory startup start-up agency shop store school university college
    club band choir orchestra church parish village town union clinic practice hospital bakery farm restaurant café cafe
    studio workshop business organisation organization charity association council newsroom library museum theatre theater
    brigade squad class course group household building landlord bank insurer insurance supplier vendor"""
)
OWN_GROUPS = _words(
    """team company firm office department lab laboratory startup start-up agency club band choir clinic business organisation
    organization charity association landlord employer"""
)
"""Groups that "the" points to as the speaker's own; "the museum" may be any."""

POSSESSIONS = _words(
    """car bike bicycle van truck boat motorbike scooter house flat apartment room garden balcony kitchen oven camera laptop
    computer pc desktop phone tablet keyboard monitor printer guitar piano violin cello bass drum drums saxophone flute
    trumpet loom kiln greenhouse allotment telescope drone router nas server fridge freezer washing machine heating boiler
    thermostat caravan camper tent backpack watch glasses hearing pacemaker wheelchair prosthesis inhaler medication shoes
    boots skis surfboard bow rifle sewing-machine lathe aquarium terrarium tank pond shed garage cellar roof fireplace stove
    espresso grinder turntable amp e-bike wifi desk chair bed mattress vineyard orchard contract lease visa passport licence
    license subscription insurance mortgage loan pension field plot land cabin cottage study attic basement bedroom bathroom
    loft hallway hall driveway smartphone ukulele harp organ accordion clarinet oboe viola banjo synth mixer lens tripod
    kayak canoe yacht dinghy motorcycle moped tractor trailer helmet instrument"""
)
PROJECTS = _words(
    """webhook payload flag timeout rack node nodes replica bucket topic job jobs cron retro standup sprint roadmap template
    theme linter classifier vendor project repo repository app application site website page service services api backend
    back-end frontend front-end database db codebase code-base code pipeline cluster server servers infrastructure stack
    monorepo library package module product platform system tool game plugin extension bot dashboard portal shop firmware
    device devices gateway broker queue cache schema warehouse model production staging prod ci builds images image
    containers container deployment deployments releases release migrations configs config endpoint endpoints tests logs
    commits docs documentation branch branches main intranet network newsletter blog store program software changelog readme
    sdk linter formatter ui header style guide typescript target minimum version orm crm erp cms scheduler worker workers
    webshop wiki data dataset book thesis novel album podcast magazine journal client"""
)
TRAITS = _words(
    """name surname nickname birthday job profession trade occupation hobby hobbies major degree employer hometown home address
    language languages tongue nationality religion faith diet pronouns blood type size height weight age salary dream rule
    rules policy style schedule shift shifts hours commute setup editor ide shell os stack timezone zone specialty speciality
    passion allergy allergies condition disability instrument sport team colour color food dish drink author band film movie
    book genre season airport airline airlines framework brand role position title background field subject deadline horizon
    preference preferences routine anniversary medication dose limit number favourite favorite dietary airline seat doctor
    dentist accent handedness vision eyesight hearing knee knees back hip shoulder heart skin hair eyes stomach lungs thyroid
    cholesterol iron pressure ankle ankles wrist wrists neck spine elbow ear ears feet achilles hamstring calf groin"""
)
BODY = _words(
    """achilles hamstring calf groin ankle ankles wrist wrists neck spine elbow foot feet leg legs arm arms hand hands ear ears
    nose throat knee knees back hip shoulder heart skin hair eyes stomach lungs thyroid cholesterol iron pressure hearing
    eyesight vision"""
)

WORK_WORDS = _words(
    """team repo repos code app apps api deploy deploys release releases release customers customer clients client office
    company project projects server servers database production staging sprint ci build builds tests test branch branches
    commit commits merge platform backend frontend postgres postgresql mysql redis kafka docker kubernetes python rust java
    typescript javascript go django react vue svelte rails terraform github gitlab jira slack images image registry container
    containers invoices invoice payroll security audit ticket tickets domains domain environments environment users
    migrations workers celery aws azure gcp cloud site firm business shop staff employees colleagues standup stand-up logs
    pipeline colleagues patients pupils students""",
)
HOME_WORDS = _words(
    """kids children daughter son wife husband baby family home house flat apartment garden dog cat dogs cats hens school
    kitchen holiday holidays dinner live married mortgage neighbours wedding parents partner pets"""
)

NAMES_OF_NO_ONE = _words(
    """I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
    October November December Christmas Easter Ok Okay Yes No Yeah Yep Nope Thanks Hi Hello Hey Sorry Sure Well Oh Ah Please
    The A An This That These Those It He She They We You My Our Your His Her Their And But Or So If When While Because Since
    As Also Then Now Just Only All Any Some Every Each No Not Never Always In On At To For From With By About Into Over After
    Before Under What Which Who Where When Why How Can Could Would Should Will May Might Must Do Does Did Is Are Was Were Has
    Have Had There Here Mr Mrs Ms Dr Prof God Internet Good Great Nice Cool Fine Right Perfect Exactly Maybe Perhaps Actually
    Btw Let Tests Weather Everything Nothing Something Someone People Most Many More Last Next First Second Third Another
    Other Both Neither Either Once"""
)

ASKED_TOPICS = (
    TRAITS
    | POSSESSIONS
    | PETS
    | _words(
        """injuries injury conditions condition illness illnesses insulated insulation breed stack database framework frameworks
        language libraries library version hosting hosted host ci device devices instrument diet job work employer department
        degree team company family children household commute experience level audience customers students garden soil
        climate heating equipment gear setup workshop dietary medication medicines orm backend frontend platform phone"""
    )
    - _words("""name names birthday hours shift shifts limit number size color colour dose doctor title tank watch pressure""")
)
"""What an agent's question must be about for a bare answer to be kept beside it."""

# ------------------------------------------------------------------------------------------------------------ small talk

OPENERS = _phrases(
    """by the way, btw, fyi, for the record, just so you know, so you know, for context, for your information, to be honest,
    tbh, honestly, as i said, like i said, as you know, you know, i mean, note that, please note that, please note, keep in
    mind that, keep in mind, bear in mind that, remember that, please remember that, please remember, remember, one more
    thing, another thing, one thing, before i forget, oh and, oh, ah, um, uh, hmm, hm, well, ok, okay, so, and, but, or,
    also, plus, anyway, right, sure, great, cool, nice, perfect, good, fine, thanks, thank you, thx, ta, cheers, hi, hello,
    hey, hi there, hey there, haha, ha, lol, yes, yeah, yep, yup, nope, nah, exactly, indeed, true, of course, absolutely,
    definitely, actually, sorry, my bad, oops, wait, oh wait, hold on, scratch that, correction, first, first of all, second,
    secondly, third, finally, then, though, because, since, as, given that, that is, i.e., in fact, frankly, basically,
    apparently, unfortunately, sadly, luckily, fortunately, sometimes, mind you, please, guess what, not really, that's
    right, that is right, yes please, no thanks, different topic, on another note, speaking of which, incidentally, in case
    it matters, if it matters, if it helps, nice to meet you, good morning, good evening, morning, evening, i should mention,
    i should say, i must say, i have to say, i forgot to mention, i should add, what matters, important, the thing is, turns
    out, it turns out, it turns out that, you should know that, i forgot to say, you should know, be aware that, heads up, as
    for me, for me, personally, two things, that said, still, thing is, no no, and yes, of course not, i told you, i already
    said, quick note"""
)
