/* The symbols of faulty.ini, in the form that lodctr reads. */
#define FAULTY_OBJECT 0
#define FAULTY_REQUESTS 2
#define FAULTY_JOBS 4
#define FAULTY_PARTS 6
#define FAULTY_PART_REQUESTS 8
#define FAULTY_PART_JOBS 10
#define FAULTY_PART_BUSY 12
