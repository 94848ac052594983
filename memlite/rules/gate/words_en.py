"""English words the rules know: verbs by tense and weight, nouns that can carry a memory, courtesies, calendar words."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def third_person(verb: str) -> str:
    """The form after he, she or it.

    >>> [third_person(verb) for verb in ("play", "carry", "watch", "use")]
    ['plays', 'carries', 'watches', 'uses']
    """
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return verb[:-1] + "ies"
    return verb + "s"


AUXILIARIES = _set(
    """is are am was were has have had does do did can cannot could must should shall will would may might needs isn't aren't
    wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't mustn't shouldn't won't wouldn't needn't 's
    're 've"""
)
"""A sentence with one of these is no title."""

PAST_AUXILIARIES = _set("was were had did could would might wasn't weren't hadn't didn't couldn't wouldn't")

# Verbs that say how things are: what somebody does by habit, owns, likes or must.
VERBS = _set(
    """abstain accept act add address admire adore affect agree aim align allow answer apply archive argue arrange assemble
    assign assist assume assure attach attend auction audit autoscale avoid back bake ban base batch bathe beat become
    begin believe belong bike bill bind blame blend bless block bloom board boil book boot borrow bother bounce bow brand
    breathe breed brew brighten bring broadcast brush build bundle burn buy cache calculate call calm camp can cap care
    carry cast catch cause celebrate chair challenge change charge chat check chew choose chop cite classify clean clear
    climb clip close coach coat code coexist collaborate collect combine come commit commute compare compile complain
    complete comply compose concern conduct confirm confuse connect consist consult contain contribute convert convince
    cook coordinate copy correct cost count cover crack crawl crochet cross crush curate cure curl cut cycle damage dance
    date deal debug decline decorate dedicate default delay delegate delight deliver demand deny depend deploy deposit
    descale describe deserve design despise destroy detect determine detest develop devote dial die differ dig digest
    direct disable disagree disappear discourage discuss dislike dismiss dispatch display distribute dive divide do
    document donate double draft drain draw dread dream dress drill drink drive drop drown drum dry dust earn eat edit
    embed employ empty enable encourage encrypt end enforce engrave enjoy enlarge ensure enter entertain escort establish
    estimate evaluate evolve examine excel exclude exercise exhibit exist expand expect expire explain explore export
    expose express extend face fade fail fall farm fascinate fast fasten favor favour fear feature feed feel fetch file
    fill film filter finance fish fit fix flood flow fly focus fold follow forbid force forge forget format foster found
    frame freelance freeze frighten fry fund gain gamble garden gather generate get give go govern grab grade graft grease
    greet grill grin grind grow guard guide handle hang happen harvest hatch hate haul have head heal heap hear heat help
    hesitate hide hike hire hold home-school honour host house hug hunt hurry hurt identify ignore illustrate imitate
    import impress improve include increase index inform inherit insist inspect inspire install instruct insure intend
    interest interpret interview introduce invent invest invite invoice involve iron itch jog join juggle jump justify keep
    kick kiss knit knock know lack land last launch lay lead lean learn lease leave lecture lend let level license lick lie
    lift like limit link list listen live load loathe locate lodge log look loosen lose love maintain make manage
    manufacture mark mash match matter mean measure meet memorise memorize mend mentor merge migrate milk mind mirror miss
    mix model moderate monitor mount move mow multiply mute name narrate need nest note number nurse obey object observe
    obtain occupy offend offer oil open operate oppose order organise organize outrank overlook oversee owe own pack pad
    paint park parse participate pass paste patch pay pedal peel perform permit persuade phone photograph pick pickle pin
    pitch plan plant play plug point polish post pour practice practise praise pray preach precede predict prefer prepare
    present preserve press pretend prevent print prioritise prioritize process produce program prohibit promise pronounce
    proofread propose protect provide prune publish pull punch punish purchase push put puzzle query quilt race rain raise
    rank rate reach react read realise realize rear rebase rebuild receive recite recommend record recover recruit recycle
    reduce refer reflect refuse register regret rehearse reject relax release relieve rely remain remember remind remove
    render renew rent repair repay repeat replace reply report represent request require rescue research reserve reset
    reside resolve respect respond rest restart restore restrict retain retire retry return reuse reveal review ride rinse
    rise roast rob roll rotate round route row rub ruin rule run rush sail salt sand save say scale scan scare scatter
    schedule scold score scrape scratch scrub seal search season see seek sell send separate serve set settle sew share
    shave shelter shelve shine ship shiver shoot shop shorten shout show shred shrink shun shut sign signal sing sink sip
    sit skate skateboard sketch ski skip sleep slide slip slow smell smoke sneeze snore soak solve sort source spare speak
    specialise specialize specify spell spend spill spin split spoil sponsor spray spread sprout squash squeeze stack stain
    stand stare start starts state stay steal steer stem stir stitch stop store strap stream strengthen stretch strip
    strive stroke struggle study stuff subscribe substitute succeed sue suffer suggest suit sum supervise supply support
    suppose surf surprise surround suspect suspend swallow swap swear sweep swell swim swing switch sync tackle tag take
    talk tame tap target taste teach tease tempt tend terrify test thank thaw think thrive throw tick tickle tie tighten
    time tip toast tolerate touch tour tow trace track trade train transcribe transfer transform translate transport trap
    travel treasure treat tremble trial trick trigger trim trouble trust try tuck tumble tune turn tutor twist type undergo
    understand undo unify unite unlock unpack update upgrade use validate value vanish vary verify version visit volunteer
    vote wag wait wake walk wander want warm warn wash waste watch water wave wear weave wed weed weigh welcome weld
    whisper whistle win wind winter wipe wish work worry worship wrap wrestle write yield zip"""
)

# Third persons that are as often nouns in the plural: "notes and plans" is a title, not a sentence.
NOUN_LIKE = _set(
    """acts addresses answers archives auctions audits beats bills blends blocks boards books boots bows brands breaks brushes
    builds bundles burns caches calls camps cares casts causes challenges changes charges chats checks cleans climbs clips
    closes coaches coats codes commits concerns connects copies costs counts covers cracks cures curls cuts damages dances
    dates deals defaults delays delights demands deposits designs dislikes dives documents doubles drafts drains draws
    dreams dresses drills drinks drives drops drums dusts ends exercises exhibits exports falls features feeds feels files
    films filters fishes fits fixes floods flows focuses folds forces formats frames funds gardens grades grills guards
    guides harvests heaps hires holds hopes hosts hugs hunts imports increases indexes interests interviews invoices irons
    judges keys kicks kisses knocks lands leads leases leaves levels licks lies lifts likes limits links lists loads locks
    lodges logs looks loves marks masters matches matters meanings measures meets milks minds mirrors mixes models mounts
    moves names needs nests notes numbers nurses objects offers oils opens orders packs pads paints parks passes pastes
    patches phones photographs picks pins pitches plans plants plays plugs points polishes posts practices preferences
    presents presses prints processes programs promises prunes pulls punches purchases pushes queries quilts races rains
    ranks rates reaches reads records releases repairs repeats replies reports requests rescues researches reserves resets
    rests returns reviews rides rises rolls rounds routes rows rules runs rushes sails salts sands scales schedules scores
    seals searches seasons sets settings shares shelters ships shoots shops shouts shows signals signs sinks sips sketches
    skips sleeps slides slips smells sorts sources spares spells spills spins splits sprays spreads stacks stages stains
    stands starts states stays stems steps stops stores streams strips strokes struggles studies stuffs suits sums supplies
    supports surfs suspects swings switches tags takes talks taps targets tastes tests thanks thinks ticks ties times tips
    toasts touches tours traces tracks trades trains transfers traps travels treasures treats tricks triggers trims
    troubles trusts tunes turns twists types updates upgrades uses values versions views visits votes waits wakes walks
    wants wastes watches waters waves weighs welcomes winds winters wipes wishes works worries wraps yields zips"""
)

PRESENT = frozenset(third_person(verb) for verb in VERBS) | {"has", "does", "is", "are", "prefers"}
PRESENT_AUXILIARIES = AUXILIARIES - PAST_AUXILIARIES

# Past events that leave a state behind.
LASTING_PAST = _set(
    """abandoned adopted agreed approved banned became began born bought bred broke built called chose co-founded coached
    composed converted created dealt decided dedicated designed developed died directed divorced dropped earned edited
    emigrated enjoyed enrolled escaped excelled fell finished finishes fled forgot fostered fought founded gained got
    graduated grew had hired immigrated inherited introduced invented invested joined kept knew lasted learned learnt led
    left liked lived lost made majored managed married merged met migrated moved named needed organised organized owned
    paid painted passed planted played practised promised promoted published qualified quit raised ran rebuilt received
    refused rejected relocated renamed renovated replaced resigned restored retired sailed served set settled sewed signed
    sold spent standardised standardized started stole stopped struggled studied survived swore taught toured trained
    translated traveled travelled underwent used volunteered vowed was were withdrew won wore worked wove wrote"""
)

# Past and present verbs of a moment in a conversation; whatever follows, nothing lasting was said.
PASSING_VERBS = _set(
    """asked wondered considered looked glanced opened clicked watched talked discussed mentioned thought tried tested checked
    viewed scrolled typed browsed searched compared skimmed requested hoped came sat stood paused waited showed pasted
    uploaded downloaded copied printed saved sneezed laughed smiled joked chatted debated pondered weighed explored
    inspected reviewed listened touched referred recalled seemed appeared brainstormed enquired inquired queried said told
    described suggested toyed imagined noted noticed commented remarked responded replied called sent wanted evaluated
    asking wondering considering thinking discussing looking comparing happened asks wonders says tells mentions seems
    appears yawned sighed coughed hummed nodded shrugged blinked whistled tapped pressed hovered zoomed highlighted
    selected corrected guessed doubted hesitated contemplated flicked leafed peeked stared googled scanned sketched counted
    outlined explained clarified pointed summarised summarized quoted cited forwarded attached dictated repeated rephrased
    proofread complained grumbled praised complimented thanked greeted waved went continued resumed interrupted"""
)

# What the house of a user is made of: with the, our, this or a name before them they stand for one thing.
DURABLE_NOUNS = _set(
    """replica replicas classifier portal flag cdn bus rack toolchain notebook user users project projects repo repos
    repository repositories team teams company companies organisation organization workspace runtime service services
    server servers plugin plugins profile app application apps website site shop store database databases cluster codebase
    backend frontend api apis platform pipeline pipelines library module modules department board club choir band orchestra
    school class clinic practice office studio workshop farm bakery cafe restaurant hotel agency startup business firm
    foundation association cooperative charity committee council crew squad group lab laboratory warehouse kitchen family
    household couple customer customers client clients product products system systems monorepo branch release releases
    deployment deployments deploy deploys commit commits migration migrations build builds ci linter config configuration
    schema dashboard bot cli firmware script scripts docs documentation wiki changelog backlog sprint sprints roadmap
    contract contracts budget invoice invoices backup backups licence license domain ticket tickets tests test tracker
    mirror gateway proxy cache queue worker workers staging production infrastructure network vpn intranet newsletter
    podcast blog magazine journal course curriculum syllabus dissertation thesis novel allotment garden greenhouse flat
    house apartment boat car van bike cottage stall truck review reviews laptop laptops phone phones webhook webhooks
    payload standup stand-up retro meeting meetings data request requests endpoint endpoints code frontends backends crate
    package packages image images certificate secrets key keys mill theatre museum gallery ward parish congregation hostel
    nursery crèche game engine simulator robot printer"""
)

GENERIC = _set(
    """a an most many some any every each several few people everyone everybody someone somebody anyone anybody nobody one
    there one's somewhere typically generally usually often humans mankind modern all these certain various lots"""
)
"""A first word that speaks of any one or of all, never of one known."""

# Bare words for things everybody knows; as a subject they announce general knowledge.
PUBLIC_NAMES = _set(
    """python java javascript typescript rust golang go kotlin swift ruby php perl haskell scala erlang elixir clojure lua
    julia fortran cobol c html css sql json yaml toml xml markdown latex unicode utf-8 ascii http https tcp udp dns ssh tls
    ssl smtp ipv4 ipv6 oauth jwt rest graphql grpc postgresql postgres mysql mariadb sqlite mongodb redis kafka rabbitmq
    elasticsearch cassandra docker kubernetes helm terraform ansible jenkins git github gitlab bitbucket linux ubuntu
    debian fedora windows macos android ios unix bash zsh vim emacs nginx apache django flask fastapi rails spring react
    vue angular svelte node.js node npm pip cargo webpack vite pytest numpy pandas pytorch tensorflow google microsoft
    apple amazon aws azure netflix facebook meta openai wikipedia youtube twitter instagram linkedin ollama bluetooth wifi
    usb paris london berlin madrid rome vienna lisbon dublin tokyo beijing shanghai moscow cairo delhi sydney toronto
    chicago york washington amsterdam brussels prague warsaw budapest athens istanbul oslo stockholm copenhagen helsinki
    zurich geneva france germany spain italy portugal england britain scotland ireland wales switzerland austria poland
    sweden norway denmark finland iceland russia china japan india brazil canada mexico australia egypt greece turkey
    ukraine netherlands belgium europe asia africa america antarctica earth mars venus jupiter saturn moon sun everest
    himalayas amazon nile danube rhine alps einstein newton shakespeare mozart beethoven bach darwin napoleon caesar
    aristotle plato galileo curie turing mount lake cape christmas easter ramadan monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december spring summer
    autumn winter"""
)

CALENDAR = _set(
    """monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april may
    june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow
    yesterday tonight morning afternoon evening night noon midnight midday week weeks month year day days date time clock
    calendar hour hours minute minutes second seconds o'clock am pm a.m p.m quarter half past to weekend century decade
    leap utc gmt cet cest est pst bst first second third fourth fifth sixth seventh eighth ninth tenth one two three four
    five six seven eight nine ten eleven twelve twenty thirty forty fifty st nd rd th local current exact season spring
    summer autumn winter"""
)

DATE_FILLER = _set(
    """it is was the a an of on in at by for now already again still just almost nearly about around user user's users agent
    assistant said says noted notes mentioned mentions that reads shows says conversation chat session message dialogue
    talk took takes place happened happens started starts ended ends began begins dated sent created written currently here
    there and be today's yesterday's tomorrow's will has this present arrived with writes and past message which falls fell
    so only exactly according system timestamp number its their my where s told remarked remarks remarked observed asked
    which what when new timezone zone held being wrote reached during"""
)

# Things done to a project: bare in the plural they still mean this project's ("Releases must be tagged").
PROCESS_NOUNS = _set(
    """projects users releases deployments deploys commits migrations builds branches backups tickets reviews invoices tests
    hotfixes merges changes endpoints services repositories repos pull staging production ci customers clients meetings
    dashboards certificates secrets environments release deploy"""
)

# Who somebody is to the user; with a determiner before it, one person or animal.
RELATIVES = _set(
    """wife husband partner spouse fiancé fiancée girlfriend boyfriend son sons daughter daughters child children kids mother
    father mum mom dad parents brother brothers sister sisters sibling siblings twin twins uncle aunt cousin cousins nephew
    niece grandmother grandfather grandparents grandson granddaughter grandchild grandchildren stepson stepdaughter in-laws
    mother-in-law father-in-law colleague colleagues boss manager tutor supervisor mentor therapist dentist doctor gp vet
    accountant lawyer roommate flatmate housemate lodger tenant tenants nanny intern interns apprentice trainee pupil
    pupils student students friend friends neighbour neighbours neighbor neighbors landlord landlady vendor supplier godson
    goddaughter dog dogs cat cats horse horses parrot rabbit rabbits hamster tortoise hens chickens goats bees hives"""
)

# Nouns of the common world: "the human heart", "the speed of light".
WORLD_NOUNS = _set(
    """earth sun moon sky sea ocean world universe planet planets heart brain human humans body capital speed light water fire
    air continent country countries government president king queen empire revolution war century history animal animals
    plant plants whale elephant lion tiger shark bird birds insect insects tree trees mountain mountains river rivers
    desert forest atom atoms molecule electron gravity temperature internet bible alphabet language languages law science
    mathematics average typical adult adults person teapot skeleton liver blood bones dinosaur dinosaurs leaves flower
    flowers sugar salt gold iron oxygen bread milk coffee tea cheese rice wine beer meat fish sleep exercise stress music
    money time love health weather software hardware honey butter flour chocolate fruit vegetables paper glass steel wood
    plastic oil gas sound pain medicine hydrogen population economy stars galaxy tower pyramids wall"""
)
